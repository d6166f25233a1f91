import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder } from '#main/platform/files/anchored-folder.ts';
import { writeBytes } from '#main/platform/files/change-file.ts';
import { decodeText, readBytes } from '#main/platform/files/file-access.ts';
import { ioError } from '#main/platform/files/io-error.ts';
import type { PathScope, ResolvedPath } from '#main/platform/files/resolve-path.ts';

/**
 * Files that tools store in a workspace's `.pravah` folder, which paths written by models cannot reach: memories and artifacts. Links are
 * not followed, and git ignores the files.
 */
export async function writeStoredFile(scope: PathScope, segments: readonly string[], content: string): Promise<void> {
  const ignore = storedPath(scope, ['.gitignore']);
  const quiet: PathScope = { ...scope, keepFile: undefined };
  if ((await readBytes(scope, ignore)) === null) await writeBytes(quiet, ignore, Buffer.from('*\n'));
  await writeBytes(quiet, storedPath(scope, segments), Buffer.from(content));
}

/** Reads a stored file as text; null if it does not exist. Throws ToolError `Io`. */
export async function readStoredFile(scope: PathScope, segments: readonly string[]): Promise<string | null> {
  const path = storedPath(scope, segments);
  const bytes = await readBytes(scope, path);
  return bytes && decodeText(path, bytes);
}

/** Names in a folder, sorted; empty if the folder does not exist. Throws ToolError `Io`. */
export async function listStoredFiles(scope: PathScope, segments: readonly string[]): Promise<string[]> {
  const { raw, segments: below } = storedPath(scope, segments);
  try {
    const folder = await openFolder(scope.working_dir, below, false);
    try {
      return (await readdir(folder.path('.'))).filter((name) => !name.startsWith('.')).sort();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw ioError(raw, error);
  }
}

/** `segments` are names created by code, never by a model. */
function storedPath({ working_dir }: PathScope, segments: readonly string[]): ResolvedPath {
  const all = ['.pravah', ...segments];
  return { raw: all.join('/'), segments: all, real: join(working_dir, ...all), protection: 'read_only' };
}
