import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** The program that is killed, in one piece: started hundreds of times, it must not look for a thousand files each time. */
export interface DrivenProgram {
  readonly path: string;
  /** Where Node keeps what it has compiled of it. */
  readonly cache: string;
  readonly remove: () => void;
}

/** Has the program built by `bundle`, which puts all that `source` imports into one folder, save `external`. */
export async function buildDrivenProgram(
  bundle: (source: string, folder: string, external: string) => Promise<void>,
): Promise<DrivenProgram> {
  const root = join(import.meta.dirname, '../..');
  // Beside the installed packages, since the database is one that cannot be put in.
  const folder = join(root, 'node_modules/.cache', `crash-suite-${process.pid}`);
  await bundle(join(import.meta.dirname, 'driven-process.ts'), folder, 'better-sqlite3');
  return {
    path: join(folder, 'driven-process.js'),
    cache: join(folder, 'cache'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
