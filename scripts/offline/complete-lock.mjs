// npm run complete-lock: adds to package-lock.json what npm left out (see lock/missing-binaries.mjs), with the hashes that the registry states.
// Run it after `npm install`. It fails and changes nothing if the registry does not have a package: without a hash, npm would accept any content.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { missingBinaries, withoutIntegrity } from './lock/missing-binaries.mjs';

const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingBinaries(lock.packages);
const packages = { ...lock.packages, ...missing };
const unknown = withoutIntegrity(packages).filter((path) => !addIntegrity(path, packages[path]));
if (unknown.length > 0) {
  console.error(
    `The registry states no hash for:\n${unknown.join('\n')}\nChoose versions of the packages that need them for which it does.`,
  );
  process.exit(1);
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`Added ${Object.keys(missing).length} packages of other platforms to package-lock.json.`);

/**
 * @param {string} path
 * @param {import('./lock/missing-binaries.mjs').LockEntry} entry
 */
function addIntegrity(path, entry) {
  const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const { stdout } = spawnSync('npm', ['view', `${name}@${entry.version}`, 'dist.integrity'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  entry.integrity = /sha512-[\w+/=]+/.exec(stdout)?.[0];
  return entry.integrity !== undefined;
}
