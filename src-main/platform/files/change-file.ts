import { lstat, unlink } from 'node:fs/promises';
import { replaceFile } from '#main/platform/replace-file.ts';
import { ToolError } from '#shared/run/error.ts';
import { hashOf, inFolderOf } from './file-access.ts';
import { fileState, whyNotKept } from './file-state.ts';
import type { PathScope, ResolvedPath } from './resolve-path.ts';

/**
 * Replaces a file's whole content, or creates the file and its parent folders. `expected` is the hash of the content that the new one is
 * based on (null: no file); if the file has changed, nothing is written. Throws ToolError `Io`.
 */
export async function writeBytes(scope: PathScope, path: ResolvedPath, content: Uint8Array, expected?: string | null): Promise<void> {
  await inFolderOf(scope, path, true, async (folder, name) => {
    const target = folder.path(name);
    const found = await lstat(target).catch(() => null);
    if (found?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    // A link created after the path was checked.
    if (found?.isSymbolicLink()) throw Object.assign(new Error(), { code: 'ELOOP' });
    if (found && !found.isFile()) throw Object.assign(new Error(), { code: 'ENXIO' });
    const check = async () => {
      await folder.assertSame();
      await aboutToChange(scope, path, hashOf(content), expected);
    };
    await replaceFile(target, content, { check, ...(path.segments[0] === '.pravah' && { mode: 0o600 }) });
  });
}

/** Removes a file if its content still has this hash, but not its folders. Throws ToolError `Io`. */
export async function removeFile(scope: PathScope, path: ResolvedPath, expected: string): Promise<void> {
  await inFolderOf(scope, path, false, async (folder, name) => {
    await aboutToChange(scope, path, null, expected);
    await folder.assertSame();
    await unlink(folder.path(name));
  });
}

/** Checks that a file is unchanged since its next content was computed, and records its current content. */
async function aboutToChange(
  scope: PathScope,
  path: ResolvedPath,
  after: string | null,
  expected: string | null | undefined,
): Promise<void> {
  if (expected === undefined && !scope.keepFile) return;
  const state = await fileState(scope, path);
  if (expected !== undefined && state.hash !== expected) {
    throw new ToolError('Io', `${JSON.stringify(path.raw)} changed in the meantime; nothing was written. Read it again.`, {
      details: { path: path.raw, code: 'CHANGED' },
    });
  }
  if (!scope.keepFile) return;
  // Record writes that change nothing, too: a fork may write the content that its parent already wrote.
  const note = whyNotKept(scope, path, state);
  const change = { path: path.segments.join('/'), before_hash: state.hash, after_hash: after, note };
  scope.keepFile({ ...change, before: note === '' && state.hash !== after ? state.bytes : null });
}
