import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** The program that is killed, in one piece: started hundreds of times, it must not look for a thousand files each time. */
export interface DrivenProgram {
  readonly path: string;
  /** Where Node keeps what it has compiled of it. */
  readonly cache: string;
  readonly remove: () => void;
}

export async function buildDrivenProgram(): Promise<DrivenProgram> {
  const root = join(import.meta.dirname, '../../..');
  // Beside the installed packages, since the database is one that cannot be put in.
  const folder = join(root, 'node_modules/.cache', `crash-suite-${process.pid}`);
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: { ssr: join(import.meta.dirname, 'driven-process.ts'), outDir: folder, target: 'node24', minify: false },
  });
  return {
    path: join(folder, 'driven-process.js'),
    cache: join(folder, 'cache'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
