import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';

/** `pravah [folder]`: opens the studio with the same launcher as `npm start`, or in a browser where only the web studio is installed. */
export async function open(folder: string | undefined): Promise<number> {
  if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`No such folder or command: "${folder}". List the commands with: pravah --help.`);
  }
  const launcher = findFile('../../../../scripts/start.mjs', '../../scripts/start.mjs');
  const command = launcher ? [launcher, ...(folder === undefined ? [] : [resolve(folder)])] : webStudio(folder);
  const child = spawn(process.execPath, command, { stdio: 'inherit' });
  // A supervisor signals this process only. Ctrl+C reaches the child too.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('exit', (code) => done(code ?? 1));
  });
}

/** The command that serves the studio to a browser. Throws a usage error if it is not installed. */
function webStudio(folder: string | undefined): string[] {
  const program = findFile('../web/main.js');
  if (!program) throw new UsageError('The studio is not included in this installation.');
  return [program, ...(folder === undefined ? [] : ['--folder', resolve(folder)])];
}

/** The first of these files that exists. Their paths are relative to this source or to its bundle. */
function findFile(...paths: readonly string[]): string | undefined {
  return paths.map((path) => fileURLToPath(new URL(path, import.meta.url))).find((path) => existsSync(path));
}
