import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ToolError } from '#shared/runtime/error.ts';
import { type AnchoredFolder, openFolder } from './anchored-folder.ts';
import { ioError } from './io-error.ts';
import type { PathScope, ResolvedPath } from './resolve-path.ts';

/** Largest file that is read, edited or searched as a whole; larger ones are read by lines. */
export const WHOLE_FILE_BYTES = 32 * 1024 * 1024;

// Without O_NONBLOCK, opening a named pipe would wait for somebody to write into it.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file for reading, following no link, and closes it after `use`. Throws ToolError `Io`. */
export async function withOpenFile<T>(scope: PathScope, path: ResolvedPath, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  return inFolderOf(scope, path, false, async (folder, name) => {
    const handle = await open(folder.path(name), READ_FLAGS);
    try {
      const stat = await handle.stat();
      if (stat.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
      if (!stat.isFile())
        throw new ToolError('Io', `${JSON.stringify(path.raw)}: it is not a regular file`, { details: { path: path.raw } });
      await folder.assertSame();
      return await use(handle);
    } finally {
      await handle.close();
    }
  });
}

/** A file's bytes; null when there is no file. Throws ToolError `Io`, also for one larger than `WHOLE_FILE_BYTES`. */
export async function readBytes(scope: PathScope, path: ResolvedPath): Promise<Buffer | null> {
  try {
    return await withOpenFile(scope, path, async (handle) => {
      const bytes = Buffer.alloc(Math.min((await handle.stat()).size, WHOLE_FILE_BYTES) + 1);
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

/** SHA-256 (hex) of a file's bytes; null for no file. */
export function hashOf(bytes: Uint8Array | null): string | null {
  return bytes && createHash('sha256').update(bytes).digest('hex');
}

/** Text of bytes, a byte-order mark kept. Throws ToolError `Io` for what is no UTF-8 text. */
export function decodeText(path: ResolvedPath, bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Falls through to the one refusal.
  }
  throw notText(path);
}

export function notText(path: ResolvedPath): ToolError {
  return new ToolError('Io', `${JSON.stringify(path.raw)} is not a UTF-8 text file`, { details: { path: path.raw } });
}

function tooLarge(path: ResolvedPath): ToolError {
  const limit = `${WHOLE_FILE_BYTES / 1024 / 1024} MiB`;
  return new ToolError('Io', `${JSON.stringify(path.raw)} is larger than ${limit}; read a part of it with offset and limit`, {
    details: { path: path.raw },
  });
}

/** Does something in the folder that holds a file, reached without following any link; with `create`, missing folders are made. */
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
