// The inspector of the MCP project, which calls a server as clients do. From npm, into a folder of its own. Never shipped.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd, testCache } from '#scripts/provision/test-cache.mjs';

const VERSION = '2.12.0';

/** Path of the program when it has been provisioned, or null. */
export function findMcpInspector() {
  const program = join(folder(), 'node_modules', '.bin', process.platform === 'win32' ? 'mcp-inspector.cmd' : 'mcp-inspector');
  return existsSync(program) ? program : null;
}

/**
 * Installs it if it is missing. Returns its path, or why it is not available.
 * @returns {{ path: string } | { reason: string }}
 */
export function provisionMcpInspector() {
  const found = findMcpInspector();
  if (found) return { path: found };
  try {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(join(folder(), 'package.json'), '{ "private": true }\n');
    console.error('Installing the MCP inspector to test with (once) …');
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    runToEnd(npm, ['install', '--ignore-scripts', '--no-audit', '--no-fund', `@modelcontextprotocol/inspector@${VERSION}`], folder());
  } catch (error) {
    rmSync(folder(), { recursive: true, force: true });
    return { reason: error instanceof Error ? error.message : String(error) };
  }
  const installed = findMcpInspector();
  return installed ? { path: installed } : { reason: 'npm installed no program' };
}

const folder = () => join(testCache(), `mcp-inspector-${VERSION}`);
