// Schemathesis, which sends an API what its own description allows and forbids. From PyPI, into an environment of its own. Never shipped.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '#scripts/provision/system-packages.mjs';
import { runToEnd, testCache } from '#scripts/provision/test-cache.mjs';

const VERSION = '4.32.5';

/** Path of the program when it has been provisioned, or null. */
export function findSchemathesis() {
  const program = join(environment(), process.platform === 'win32' ? 'Scripts' : 'bin', 'schemathesis');
  return existsSync(program) ? program : null;
}

/**
 * Installs it if it is missing. Returns its path, or why it is not available.
 * @returns {{ path: string } | { reason: string }}
 */
export function provisionSchemathesis() {
  const found = findSchemathesis();
  if (found) return { path: found };
  const python = findOnPath('python3') ?? findOnPath('python');
  if (!python) return { reason: 'installing it needs Python 3 with pip' };
  try {
    mkdirSync(testCache(), { recursive: true });
    console.error('Installing Schemathesis to test with (once) …');
    runToEnd(python, ['-m', 'venv', environment()], testCache());
    const pip = join(environment(), process.platform === 'win32' ? 'Scripts' : 'bin', 'pip');
    runToEnd(pip, ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`], testCache());
  } catch (error) {
    rmSync(environment(), { recursive: true, force: true });
    return { reason: error instanceof Error ? error.message : String(error) };
  }
  const installed = findSchemathesis();
  return installed ? { path: installed } : { reason: 'pip installed no program' };
}

const environment = () => join(testCache(), `schemathesis-${VERSION}`);
