import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { assertNotCancelled } from '#main/platform/assert-not-cancelled.ts';
import { openFolder } from './anchored-folder.ts';
import { ioError } from './io-error.ts';
import { foldName } from './protected-names.ts';
import type { PathScope, ResolvedPath } from './resolve-path.ts';

/** Folders that are skipped unless the walk starts inside one. */
const leftOut = new Set(['.git', '.pravah', 'node_modules']);

/**
 * Yields all files at or below a path, as segments below the working folder, sorted by path as text. Links are yielded but not followed.
 * Throws ToolError `Io` if the start cannot be read; unreadable folders below it are skipped.
 */
export async function* walkFiles(scope: PathScope, start: ResolvedPath, signal: AbortSignal): AsyncGenerator<readonly string[]> {
  const found = await lstat(start.real).catch((error: unknown) => {
    throw ioError(start.raw, error);
  });
  if (!found.isDirectory()) {
    yield start.segments;
    return;
  }
  const skipping = !start.segments.some((segment) => leftOut.has(foldName(segment)));
  yield* filesIn(scope, start.segments, skipping, start, signal);
}

async function* filesIn(
  scope: PathScope,
  folder: readonly string[],
  skipping: boolean,
  start: ResolvedPath,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  assertNotCancelled(signal);
  for (const entry of await entriesOf(scope, folder, start)) {
    const segments = [...folder, entry.name];
    if (!entry.isDirectory()) yield segments;
    else if (!skipping || !leftOut.has(foldName(entry.name))) yield* filesIn(scope, segments, skipping, start, signal);
  }
}

async function entriesOf(scope: PathScope, folder: readonly string[], start: ResolvedPath): Promise<Dirent[]> {
  try {
    const anchor = await openFolder(scope.working_dir, folder, false);
    try {
      const entries = await readdir(anchor.path('.'), { withFileTypes: true });
      await anchor.assertSame();
      return entries.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
    } finally {
      await anchor.close();
    }
  } catch (error) {
    if (folder.length === start.segments.length) throw ioError(start.raw, error);
    return [];
  }
}

/** Appending the separator makes a folder sort like the paths below it. */
function sortKey(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}
