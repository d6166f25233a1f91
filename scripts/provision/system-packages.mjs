// Debian packages that the end-to-end tests need. Installed only as root on Debian; elsewhere they are the user's to install.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first executable of this name on PATH, or null. @param {string} name */
export function findOnPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  return found ?? null;
}

/** Whether `installSystemPackages` can work here. */
export function canInstallSystemPackages() {
  return process.platform === 'linux' && process.getuid?.() === 0 && findOnPath('apt-get') !== null;
}

let listsAreFresh = false;

/**
 * Installs Debian packages with apt-get and reports its progress on standard error. Returns whether that succeeded.
 * @param {readonly string[]} packages
 */
export function installSystemPackages(packages) {
  if (!canInstallSystemPackages()) return false;
  console.error(`Installing system packages: ${packages.join(' ')} …`);
  if (!listsAreFresh) listsAreFresh = apt(['update', '-qq']);
  return apt(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
}

/** @param {readonly string[]} args */
function apt(args) {
  const result = spawnSync('apt-get', args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 600_000,
  });
  if (result.status === 0) return true;
  console.error(`apt-get ${args[0]} failed: ${lastLine(result.stderr) || result.error?.message || `exit code ${result.status}`}`);
  return false;
}

/** @param {string | null} text */
const lastLine = (text) => text?.trim().split('\n').at(-1) ?? '';
