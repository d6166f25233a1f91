import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '#main/workspace/file-failure.ts';

/** Makes a folder inside a workspace's `.pravah`, which git is told to ignore as a whole, and returns its path. Throws Node's errors. */
export async function makePravahFolder(workspace: string, ...names: readonly string[]): Promise<string> {
  const root = join(workspace, '.pravah');
  const folder = join(root, ...names);
  await mkdir(folder, { recursive: true });
  await writeFile(join(root, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  return folder;
}
