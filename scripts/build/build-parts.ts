// node scripts/build/build-parts.ts PART…: builds the named parts one after the other. Called by scripts/build.mjs.
import { join } from 'node:path';
import { build } from 'electron-vite';
import { finishElectronVehicle } from '#scripts/offline/electron-vehicle/finish-build.ts';
import { packExtension } from '#scripts/vscode/pack-extension.ts';
import { buildLock } from './build-lock.ts';
import { writeLibraryTypes } from './library-types.ts';
import { isFresh, isPartName, markFresh, PARTS, type PartName, sourcesHash } from './parts.mjs';
import { removeOlder } from './remove-older.ts';
import { libraryEntries, writeRuntimeTypes } from './runtime-types.ts';

const root = join(import.meta.dirname, '..', '..');

const release = await buildLock(join(root, 'out', '.building'));
try {
  for (const name of process.argv.slice(2)) {
    if (!isPartName(name)) throw new Error(`There is no part "${name}" to build.`);
    await buildPart(name);
  }
} catch (error) {
  process.stderr.write(` failed\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  release();
}

async function buildPart(name: PartName): Promise<void> {
  const started = Date.now();
  if (name === 'electron-vehicle' && !isFresh(root, 'renderer')) await buildPart('renderer');
  process.stderr.write(`Building ${name} …`);
  const hash = sourcesHash(root, name);
  if (name === 'vscode') await packExtension(root, join(root, 'out', 'vscode'));
  else await build({ root, mode: name, logLevel: 'warn', ignoreConfigWarning: true });
  if (name === 'electron-vehicle') await finishElectronVehicle(root);
  if (name === 'runtime') {
    writeRuntimeTypes(root);
    await writeLibraryTypes(root, libraryEntries);
  }
  // Only now: a failed build keeps the previous result.
  for (const output of PARTS[name].outputs) removeOlder(join(root, output), started);
  markFresh(root, name, hash);
  process.stderr.write(` done in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}
