// Installs the npm packages that package-lock.json names, where they are missing or stale. Runs on Node 20, before anything is installed.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withProgress } from './progress.mjs';

/** @typedef {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, link?: boolean }>} LockedPackages */

/**
 * Whether `node_modules` holds what the lock file names. npm keeps a lock file of its own in there, written last, so an
 * interrupted installation is seen. Optional packages may be absent: they belong to other platforms.
 * @param {string} root
 */
export function packagesAreInstalled(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, { version, optional, devOptional, link }]) => {
    if (path === '' || link) return true;
    const found = installed[path];
    return found ? found.version === version : Boolean(optional || devOptional);
  });
}

/**
 * Runs `npm ci` where packages are missing, with progress on standard error. Throws an error of one line when that fails.
 * @param {string} root
 */
export async function installPackages(root) {
  if (packagesAreInstalled(root)) return;
  await withProgress('Installing packages, once for this version (1 to 3 minutes)', () => npmCi(root));
}

/** @param {string} root */
function npmCi(root) {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const child = npm?.endsWith('.js')
    ? spawn(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
    : spawn('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    messages += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`npm could not be started: ${error.message}`)));
    child.on('close', (code) => {
      if (code === 0) return resolve(undefined);
      reject(new Error(`npm ci failed: ${reasonOf(messages) ?? `exit code ${code}`} (Is the network up? Run it again to retry.)`));
    });
  });
}

/** The first of npm's messages that is a sentence, not a code or a path. @param {string} messages */
function reasonOf(messages) {
  const lines = messages.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  return lines.find((line) => line.includes(' ') && !/^(code|errno|syscall|path|A complete log)\b/.test(line));
}

/**
 * @param {string} file
 * @returns {LockedPackages | null}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    return null; // not there, or cut off while it was written: install again
  }
}
