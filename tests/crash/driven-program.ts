import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** The program that is killed, in one piece: started hundreds of times, it must not look for a thousand files each time. */
export interface DrivenProgram {
  readonly path: string;
  /** Where Node keeps what it has compiled of it. */
  readonly cache: string;
  readonly remove: () => void;
}

/** Packages that cannot be put in: the database is a native module, the sandbox a WebAssembly file. The program lies beside them. */
const installed = ['better-sqlite3', 'quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync'];

/** Has a program of this folder built by `bundle`, which puts all that `source` imports into one folder, save `external`. */
export async function buildDrivenProgram(
  bundle: (source: string, folder: string, external: readonly string[]) => Promise<void>,
  name = 'driven-process',
): Promise<DrivenProgram> {
  const root = join(import.meta.dirname, '../..');
  const folder = join(root, 'node_modules/.cache', `crash-suite-${process.pid}-${name}`);
  await bundle(join(import.meta.dirname, `${name}.ts`), folder, installed);
  return {
    path: join(folder, `${name}.js`),
    cache: join(folder, 'cache'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
