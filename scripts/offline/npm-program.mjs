// Programs from npm that only tests run, each in a folder of its own in the test cache. Never shipped.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd, testCache } from '#scripts/provision/test-cache.mjs';

/** @typedef {{ readonly name: string, readonly version: string, readonly bin: string, readonly what: string }} NpmProgram */

const isWindows = process.platform === 'win32';

/**
 * Path of the program when it has been provisioned, or null.
 * @param {NpmProgram} program
 */
export function findNpmProgram(program) {
  const path = join(folderOf(program), 'node_modules', '.bin', isWindows ? `${program.bin}.cmd` : program.bin);
  return existsSync(path) ? path : null;
}

/**
 * Installs it if it is missing. Returns its path, or why it is not available.
 * @param {NpmProgram} program
 * @returns {{ path: string } | { reason: string }}
 */
export function provisionNpmProgram(program) {
  const found = findNpmProgram(program);
  if (found) return { path: found };
  const folder = folderOf(program);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    console.error(`Installing ${program.what} to test with (once) …`);
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${program.name}@${program.version}`];
    runToEnd(isWindows ? 'npm.cmd' : 'npm', install, folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return { reason: error instanceof Error ? error.message : String(error) };
  }
  const installed = findNpmProgram(program);
  return installed ? { path: installed } : { reason: 'npm installed no program' };
}

/** @param {NpmProgram} program */
const folderOf = ({ bin, version }) => join(testCache(), `${bin}-${version}`);
