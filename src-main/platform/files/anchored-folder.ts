import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** Linux exposes open file descriptors here, which lets a path start at an open folder. */
const openFiles = '/proc/self/fd';
const anchored = process.platform === 'linux' && existsSync(openFiles);

/**
 * An open folder. On Linux its children are accessed through the file descriptor, so replacing a parent folder with a link after the path
 * was checked has no effect. Elsewhere `assertSame` checks that the path still refers to the same folder.
 */
export interface AnchoredFolder {
  /** A path for system calls that refers to `name` in this exact folder. */
  path(name: string): string;
  /** Throws `ELOOP` if the path now refers to a different folder. */
  assertSame(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the folder at `segments` below `root` without following links; with `create`, creates missing folders. `root` is a real path.
 * Throws Node's errors (`ENOTDIR` or `ELOOP` for a link).
 */
export async function openFolder(root: string, segments: readonly string[], create: boolean): Promise<AnchoredFolder> {
  return anchored ? openByHandle(root, segments, create) : openByPath(root, segments, create);
}

const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

async function openByHandle(root: string, segments: readonly string[], create: boolean): Promise<AnchoredFolder> {
  let handle = await open(root, folderFlags);
  for (const segment of segments) {
    const parent: FileHandle = handle;
    try {
      const child = `${openFiles}/${parent.fd}/${segment}`;
      if (create) await mkdir(child, modeBelow(segments)).catch(ignoreExisting);
      handle = await open(child, folderFlags);
    } finally {
      await parent.close();
    }
  }
  return { path: (name) => `${openFiles}/${handle.fd}/${name}`, assertSame: async () => {}, close: () => handle.close() };
}

async function openByPath(root: string, segments: readonly string[], create: boolean): Promise<AnchoredFolder> {
  let folder = root;
  for (const segment of segments) {
    folder = join(folder, segment);
    if (create) await mkdir(folder, modeBelow(segments)).catch(ignoreExisting);
    if ((await lstat(folder)).isSymbolicLink()) throw swapped();
  }
  const before = await lstat(folder);
  const assertSame = async () => {
    const now = await lstat(folder);
    if ((await realpath(folder)) !== folder || now.ino !== before.ino || now.dev !== before.dev) throw swapped();
  };
  return { path: (name) => join(folder, name), assertSame, close: async () => {} };
}

/** Folders in `.pravah` are accessible to their owner only. */
function modeBelow(segments: readonly string[]): { readonly mode?: number } {
  return segments[0] === '.pravah' ? { mode: 0o700 } : {};
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function swapped(): Error {
  return Object.assign(new Error('a folder was replaced by a link'), { code: 'ELOOP' });
}
