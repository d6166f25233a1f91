// npm start [-- FOLDER] [--web] [--no-open]: installs and builds what is missing, then opens the studio. Runs on Node 20, and does
// nothing but look when there is nothing to do, so that a second start is quick.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isFresh } from './build/parts.mjs';
import { hasDisplay } from './setup/browser.mjs';
import { runElectron } from './setup/desktop.mjs';
import { findElectron } from './setup/electron.mjs';
import { findNode24 } from './setup/node24.mjs';
import { installPackages } from './setup/packages.mjs';
import { runWebHost } from './setup/web.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  await start(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** @param {readonly string[]} words */
async function start(words) {
  const unknown = words.find((word) => word.startsWith('-') && !['--web', '--no-open'].includes(word));
  if (unknown) throw new Error(`npm start does not know ${unknown}. Usage: npm start -- [FOLDER] [--web] [--no-open]`);
  const [folder, second] = words.filter((word) => !word.startsWith('-')).map(existingFolder);
  if (second) throw new Error('npm start opens one folder.');

  await installPackages(root);
  const node24 = findNode24(root);
  const stale = /** @type {const} */ (['main', 'renderer']).filter((part) => !isFresh(root, part));
  if (stale.length > 0) {
    const built = spawnSync(node24, [join(root, 'scripts', 'build', 'build-parts.ts'), ...stale], { cwd: root, stdio: 'inherit' });
    if (built.status !== 0) throw new Error('The studio could not be built; the reason stands above.');
  }

  const reason = words.includes('--web') ? 'as asked for with --web' : await withoutElectron(node24, folder);
  if (reason === null) return;
  console.log(`Serving the studio to a browser on this machine: ${reason}.`);
  runWebHost({ root, node24, folder, open: !words.includes('--no-open'), notice: reason });
}

/**
 * Opens the desktop window and answers null when it was closed, or why there is none.
 * @param {string} node24
 * @param {string | undefined} folder
 */
async function withoutElectron(node24, folder) {
  if (!hasDisplay()) return 'there is no display for a desktop window';
  const electron = await findElectron(root, node24);
  const reason = 'path' in electron ? await runElectron(electron.path, root, folder) : electron.reason;
  return reason === null ? null : `no Electron here, ${reason}`;
}

/** @param {string} word */
function existingFolder(word) {
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), word);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`There is no folder ${folder}.`);
  return folder;
}
