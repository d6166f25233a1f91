// The inputs and outputs of each build part, and whether it is stale. Runs on Node 20, so that a start is fast if nothing is stale.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @typedef {'main' | 'cli' | 'runtime' | 'renderer' | 'electron-vehicle' | 'vscode'} PartName */

const SETUP = ['package-lock.json', 'electron.vite.config.ts', 'scripts/build'];

/**
 * Per part: the files and folders that its build reads (tests excepted), the folders that it fills, and a file that shows it is whole.
 * @type {Readonly<Record<PartName, { inputs: readonly string[], outputs: readonly string[], proof: string }>>}
 */
export const PARTS = {
  main: {
    inputs: [...SETUP, 'src-shared', 'src-main', 'tsconfig.base.json'],
    outputs: ['out/electron', 'out/web', 'out/workers', 'out/chunks'],
    proof: 'out/web/main.js',
  },
  cli: {
    inputs: [...SETUP, 'src-shared', 'src-main', 'tsconfig.base.json'],
    outputs: ['out/cli', 'out/cli-workers', 'out/cli-chunks', 'out/swagger-ui'],
    proof: 'out/cli/main.js',
  },
  runtime: {
    inputs: [...SETUP, 'src-shared', 'src-main', 'tsconfig.base.json'],
    outputs: ['out/runtime', 'out/runtime-workers', 'out/runtime-chunks', 'out/runtime-types', 'out/library-types'],
    proof: 'out/runtime/index.js',
  },
  renderer: {
    inputs: [...SETUP, 'src-shared', 'src-renderer', 'tsconfig.base.json'],
    outputs: ['out/renderer'],
    proof: 'out/renderer/files.json',
  },
  'electron-vehicle': {
    inputs: [...SETUP, 'src-shared', 'src-main', 'src-renderer', 'scripts/offline/electron-vehicle', 'tsconfig.base.json'],
    outputs: ['out/electron-vehicle'],
    proof: 'out/electron-vehicle/package.json',
  },
  vscode: {
    inputs: [...SETUP, 'editors/vscode', 'scripts/vscode', 'tsconfig.base.json'],
    outputs: ['out/vscode'],
    proof: 'out/vscode/extension.js',
  },
};

/** @param {string} name @returns {name is PartName} */
export const isPartName = (name) => Object.hasOwn(PARTS, name);

/**
 * Whether a part was built from exactly the current sources.
 * @param {string} root
 * @param {PartName} part
 */
export function isFresh(root, part) {
  if (!existsSync(join(root, PARTS[part].proof))) return false;
  try {
    return readFileSync(markerPath(root, part), 'utf8') === sourcesHash(root, part);
  } catch {
    return false; // never built
  }
}

/**
 * SHA-256 (hex) over the names and contents of all files that a part is built from.
 * @param {string} root
 * @param {PartName} part
 */
export function sourcesHash(root, part) {
  const hash = createHash('sha256');
  for (const input of PARTS[part].inputs) {
    for (const file of filesBelow(root, input))
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(root, file)))
        .update('\0');
  }
  return hash.digest('hex');
}

/**
 * Records that a part was built from sources with this hash (taken before the build, so that an edit during it is not lost).
 * @param {string} root
 * @param {PartName} part
 * @param {string} hash
 */
export function markFresh(root, part, hash) {
  mkdirSync(dirname(markerPath(root, part)), { recursive: true });
  writeFileSync(markerPath(root, part), hash);
}

/** @param {string} root @param {PartName} part */
const markerPath = (root, part) => join(root, 'out', '.built', part);

/**
 * The files at or below a path, tests left out, as sorted paths relative to the root.
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return [];
  if (found.isFile()) return /\.test\.tsx?$/.test(path) ? [] : [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(root, `${path}/${name}`));
}
