import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Real path of the nearest folder, from `folder` upwards, that holds `pravah.json` or `.pravah`; without one, of `folder` itself. */
export async function findWorkspace(folder: string): Promise<string> {
  const start = await realpath(folder);
  for (let current = start; ; current = dirname(current)) {
    if ((await exists(join(current, 'pravah.json'))) || (await exists(join(current, '.pravah')))) return current;
    if (dirname(current) === current) return start;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
