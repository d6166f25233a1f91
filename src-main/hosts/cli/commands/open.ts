import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';

/** `pravah [folder]`: opens the studio with the same launcher as `npm start`. */
export async function open(folder: string | undefined): Promise<number> {
  if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`No such folder or command: "${folder}". List the commands with: pravah --help.`);
  }
  const launcher = findLauncher();
  const words = folder === undefined ? [] : [resolve(folder)];
  const child = spawn(process.execPath, [launcher, ...words], { stdio: 'inherit' });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('exit', (code) => done(code ?? 1));
  });
}

/** `scripts/start.mjs` of the checkout: three folders up from this source, two from the bundle. */
function findLauncher(): string {
  const candidates = ['../../../../scripts/start.mjs', '../../scripts/start.mjs'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const found = candidates.find((path) => existsSync(path));
  if (!found) throw new UsageError('The studio is not included in this installation.');
  return found;
}
