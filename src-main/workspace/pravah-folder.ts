import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '#main/platform/file-failure.ts';
import { isOurs } from '#main/platform/owner.ts';

/**
 * Creates a folder inside a workspace's `.pravah`, which git ignores and only its owner may access, and returns its
 * path. Called when there is something to store: the first run, a draft, a deleted flow; opening a folder creates nothing. Throws Node's errors,
 * `ENOTDIR` if `.pravah` is a link, and `EROFS` if the file system does not support folders.
 */
export function makePravahFolder(workspace: string, ...names: readonly string[]): string {
  const root = join(workspace, '.pravah');
  makeRoot(root);
  const found = lstatSync(root);
  if (!found.isDirectory()) throw Object.assign(new Error(`${root} is a link`), { code: 'ENOTDIR' });
  if (isOurs(found) && (found.mode & 0o077) !== 0) chmodSync(root, 0o700);
  const folder = join(root, ...names);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(root, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return folder;
}

/** Not `recursive`: that never returns in a file system without support for new folders, such as /proc. */
function makeRoot(root: string): void {
  try {
    mkdirSync(root, { mode: 0o700 });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') throw Object.assign(new Error(`can't create ${root}`), { code: 'EROFS' });
    if (code !== 'EEXIST') throw error;
  }
}
