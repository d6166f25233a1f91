// npm run complete-lock: adds to package-lock.json what npm left out (see lock/missing-binaries.mjs). Run it after `npm install`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { missingBinaries } from './lock/missing-binaries.mjs';

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingBinaries(lock.packages);
const entries = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(entries);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`Added ${Object.keys(missing).length} packages of other platforms to package-lock.json.`);
