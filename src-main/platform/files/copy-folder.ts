import { constants } from 'node:fs';
import { cp, lstat, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';

/** The size of a folder's copy. */
export interface FolderSize {
  readonly files: number;
  readonly bytes: number;
  /** Whether it is larger than a copy may be; then the numbers are only a part of it. */
  readonly tooLarge: boolean;
}

/** Most files and bytes of a copy. */
export const mostFiles = 20_000;
export const mostBytes = 256 * 1024 * 1024;

/** What is not copied: the journal and other data of the studio. */
const leftOut = '.pravah';

/** Returns how large a copy of a folder would be. Links count, but not what they lead to. */
export async function sizeOfCopy(folder: string): Promise<FolderSize> {
  let [files, bytes] = [0, 0];
  const queue = [folder];
  for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
    for (const entry of await readdir(current, { withFileTypes: true })) {
      if (current === folder && entry.name === leftOut) continue;
      const path = join(current, entry.name);
      if (entry.isDirectory()) queue.push(path);
      else {
        files += 1;
        bytes += (await lstat(path)).size;
      }
      if (files > mostFiles || bytes > mostBytes) return { files, bytes, tooLarge: true };
    }
  }
  return { files, bytes, tooLarge: false };
}

/** A temporary copy of a folder, readable by this user only. Dispose of it to delete it. */
export interface FolderCopy extends AsyncDisposable {
  /** Its real path. */
  readonly folder: string;
}

/**
 * Copies a folder without the studio's own data. Links stay links. The caller has checked its size.
 *
 * A git repository is copied with the rest, and is not made a `git worktree`: that would share branches, stashes and settings with the original, so that a
 * variant which commits or deletes a branch would change it, and would lack uncommitted, untracked and ignored files, such as `node_modules`. For the same
 * reason a `.git` file that leads to a repository outside the copy, as in a linked worktree, is left out: git finds no repository there.
 */
export async function copyFolder(folder: string): Promise<FolderCopy> {
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'pravah-variant-')));
  const remove = () => rm(copy, { recursive: true, force: true, maxRetries: 3 });
  try {
    await cp(folder, copy, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: async (source) => source !== join(folder, leftOut) && !(await leadsOut(folder, source)),
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder: copy, [Symbol.asyncDispose]: remove };
}

/** Whether this is a `.git` file or link that would lead from a copy to a repository outside it. */
async function leadsOut(folder: string, path: string): Promise<boolean> {
  if (basename(path) !== '.git') return false;
  const found = await lstat(path);
  if (found.isDirectory()) return false;
  if (!found.isFile()) return true;
  const target = /^gitdir: (.*?)\s*$/s.exec(await readFile(path, 'utf8'))?.[1];
  if (target === undefined) return false;
  return isAbsolute(target) || !resolve(dirname(path), target).startsWith(folder + sep);
}
