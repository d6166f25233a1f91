import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ToolError } from '#shared/run/error.ts';
import { type AnchoredFolder, openFolder } from './anchored-folder.ts';
import { ioError } from './io-error.ts';
import type { PathScope, ResolvedPath } from './resolve-path.ts';

/** Size limit in bytes for reading, editing or searching a whole file; larger files are read by lines. */
export const wholeFileBytes = 32 * 1024 * 1024;

// Without O_NONBLOCK, opening a named pipe would block until another process writes to it.
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file for reading without following links, and closes it after `use`. Throws ToolError `Io`. */
export async function withOpenFile<T>(scope: PathScope, path: ResolvedPath, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  return inFolderOf(scope, path, false, async (folder, name) => {
    const handle = await open(folder.path(name), readFlags);
    try {
      const stat = await handle.stat();
      if (stat.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
      if (!stat.isFile()) throw new ToolError('Io', `${JSON.stringify(path.raw)}: not a regular file.`, { details: { path: path.raw } });
      await folder.assertSame();
      return await use(handle);
    } finally {
      await handle.close();
    }
  });
}

/** Returns a file's bytes, or null if it does not exist. Throws ToolError `Io`, also for files larger than `wholeFileBytes`. */
export async function readBytes(scope: PathScope, path: ResolvedPath): Promise<Buffer | null> {
  try {
    return await withOpenFile(scope, path, async (handle) => {
      const bytes = Buffer.alloc(Math.min((await handle.stat()).size, wholeFileBytes) + 1);
      let length = 0;
      for (;;) {
        const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
        length += bytesRead;
        if (bytesRead === 0) return bytes.subarray(0, length);
        if (length === bytes.length) throw tooLarge(path);
      }
    });
  } catch (error) {
    if (error instanceof ToolError && error.options.details?.code === 'ENOENT') return null;
    throw error;
  }
}

/** SHA-256 (hex) of a file's bytes; null if there is no file. */
export function hashOf(bytes: Uint8Array | null): string | null {
  return bytes && createHash('sha256').update(bytes).digest('hex');
}

/** Decodes UTF-8, preserving a byte-order mark. Throws ToolError `Io` for invalid UTF-8. */
export function decodeText(path: ResolvedPath, bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Falls through to the error below.
  }
  throw notText(path);
}

export function notText(path: ResolvedPath): ToolError {
  return new ToolError('Io', `${JSON.stringify(path.raw)} is not a UTF-8 text file.`, { details: { path: path.raw } });
}

function tooLarge(path: ResolvedPath): ToolError {
  const limit = `${wholeFileBytes / 1024 / 1024} MiB`;
  return new ToolError('Io', `${JSON.stringify(path.raw)} is larger than ${limit}. Read a part of it with offset and limit.`, {
    details: { path: path.raw },
  });
}

/** Calls `use` with a file's parent folder, opened without following links; with `create`, creates missing folders. */
export async function inFolderOf<T>(
  scope: PathScope,
  path: ResolvedPath,
  create: boolean,
  use: (folder: AnchoredFolder, name: string) => Promise<T>,
): Promise<T> {
  const name = path.segments.at(-1);
  try {
    if (name === undefined) throw Object.assign(new Error(), { code: 'EISDIR' });
    const folder = await openFolder(scope.working_dir, path.segments.slice(0, -1), create);
    try {
      return await use(folder, name);
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw ioError(path.raw, error);
  }
}
