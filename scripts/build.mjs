// npm run build [-- main cli runtime renderer electron-vehicle vscode] [--force]: builds what is stale; the first four unless named.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isFresh, isPartName } from './build/parts.mjs';
import { findNode24 } from './setup/node24.mjs';
import { installPackages } from './setup/packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const force = process.argv.includes('--force');
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = named.find((name) => !isPartName(name));
if (unknown) {
  console.error(`There is no part "${unknown}" to build. Parts: main, cli, runtime, renderer, electron-vehicle, vscode.`);
  process.exit(2);
}

try {
  await installPackages(root);
  const wanted = named.length > 0 ? named.filter(isPartName) : /** @type {const} */ (['main', 'cli', 'runtime', 'renderer']);
  const stale = wanted.filter((part) => force || !isFresh(root, part));
  if (stale.length === 0) console.error(`Up to date: ${wanted.join(', ')}.`);
  else {
    const builder = fileURLToPath(new URL('build/build-parts.ts', import.meta.url));
    const { status } = spawnSync(findNode24(root), ['--disable-warning=ExperimentalWarning', builder, ...stale], {
      cwd: root,
      stdio: 'inherit',
    });
    process.exitCode = status ?? 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
