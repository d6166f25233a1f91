// Finds the Node that the application runs on. Runs on Node 20.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const WANTED_MAJOR = 24;

/**
 * Path of a Node 24 or newer: the one that the npm package `node` brought, this one, or one on PATH. Throws an error of one line
 * that says what to do when there is none.
 * @param {string} root
 */
export function findNode24(root) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const packaged = join(root, 'node_modules', 'node', 'bin', name);
  if (majorVersion(packaged) >= WANTED_MAJOR) return packaged;
  const others = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name));
  const found = [process.execPath, ...others].find((path) => majorVersion(path) >= WANTED_MAJOR);
  if (found) return found;
  throw new Error(
    `Node ${WANTED_MAJOR} is missing: the npm package "node" brought no working binary (its install script may be blocked). ` +
      `Run "npm rebuild node --foreground-scripts", or install Node ${WANTED_MAJOR}.`,
  );
}

/** The major version that an executable reports, or 0 when it does not run. @param {string} path */
function majorVersion(path) {
  if (path === process.execPath) return Number(process.versions.node.split('.')[0]);
  if (!existsSync(path)) return 0;
  const result = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return Number(/^v(\d+)\./.exec(result.stdout ?? '')?.[1] ?? 0);
}
