import { createHash } from 'node:crypto';
import { findSecret } from '#main/engine/secrets/mask.ts';
import { ToolError } from '#shared/run/error.ts';
import { wholeFileBytes, withOpenFile } from './file-access.ts';
import type { PathScope, ResolvedPath } from './resolve-path.ts';

/** The current state of a file. */
export interface FileState {
  /** SHA-256 (hex) of the content; null if the file does not exist. */
  readonly hash: string | null;
  /** The content; null if the file does not exist or is too large to record. */
  readonly bytes: Buffer | null;
}

const chunkSize = 1024 * 1024;

/** Returns a file's hash, and its content up to `wholeFileBytes`. Throws ToolError `Io` if it is not a regular file. */
export async function fileState(scope: PathScope, path: ResolvedPath): Promise<FileState> {
  try {
    return await withOpenFile(scope, path, async (handle) => {
      const hash = createHash('sha256');
      const pieces: Buffer[] = [];
      let length = 0;
      for (;;) {
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize, null);
        if (bytesRead === 0) break;
        const piece = buffer.subarray(0, bytesRead);
        hash.update(piece);
        length += bytesRead;
        if (length <= wholeFileBytes) pieces.push(piece);
      }
      return { hash: hash.digest('hex'), bytes: length <= wholeFileBytes ? Buffer.concat(pieces) : null };
    });
  } catch (error) {
    if (error instanceof ToolError && error.options.details?.code === 'ENOENT') return { hash: null, bytes: null };
    throw error;
  }
}

/** Why a file's content must not be stored in a journal; empty if it may. */
export function whyNotKept(scope: PathScope, path: ResolvedPath, { hash, bytes }: FileState): string {
  if (hash === null) return '';
  if (bytes === null) return `It was larger than ${wholeFileBytes / 1024 / 1024} MiB, so its content was not stored.`;
  if (path.protection === 'secret') return 'It may contain secrets, so its content was not stored.';
  const secret = scope.secrets && scope.secrets.size > 0 ? findSecret(scope.secrets, bytes.toString('utf8')) : null;
  return secret ? `It contained the secret ${secret.name}, so its content was not stored.` : '';
}
