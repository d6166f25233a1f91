import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fileFailure, isMissing, isReadOnly } from '#main/workspace/file-failure.ts';
import { makePravahFolder } from '#main/workspace/pravah-folder.ts';
import { makeProfileFolder, profileFolder } from '#main/workspace/profile.ts';
import { replaceFile } from '#main/workspace/replace-file.ts';
import { layoutSchema } from '#shared/contract/flows.ts';

const draftSchema = z.object({
  path: z.string(),
  text: z.string(),
  layout: layoutSchema.nullable(),
  base_hash: z.string(),
  saved_at: z.number(),
});

/** Unsaved edits of a flow. `base_hash` is the hash of the file on which they stand, `saved_at` in milliseconds since 1970. */
export type FlowDraft = z.infer<typeof draftSchema>;

/**
 * Keeps unsaved edits: on disk, synced, when this returns. They stand under `.pravah/drafts`, and where the folder cannot be written in the user's profile.
 * Throws `FlowError` when neither takes them; the draft before is then still there.
 */
export async function saveDraft(workspace: string, draft: FlowDraft): Promise<void> {
  const text = `${JSON.stringify(draft)}\n`;
  const name = fileName(draft.path);
  try {
    await replaceFile(join(makePravahFolder(workspace, 'drafts'), name), text, { mode: 0o600 });
  } catch (error) {
    if (!isReadOnly(error)) throw fileFailure('could not be kept as a draft', draft.path, error);
    const folder = await makeProfileFolder('drafts', folderName(workspace));
    await replaceFile(join(folder, name), text, { mode: 0o600 }).catch((reason: unknown) => {
      throw fileFailure('could not be kept as a draft', draft.path, reason);
    });
  }
}

/** The newest unsaved edits of a flow; null when there are none, or none that can be read. */
export async function readDraft(workspace: string, path: string): Promise<FlowDraft | null> {
  const drafts = await Promise.all(foldersOf(workspace).map((folder) => readOne(join(folder, fileName(path)), path)));
  return drafts.reduce((best, draft) => (draft && (!best || draft.saved_at > best.saved_at) ? draft : best), null);
}

/** Forgets unsaved edits. */
export async function discardDraft(workspace: string, path: string): Promise<void> {
  for (const folder of foldersOf(workspace)) {
    await rm(join(folder, fileName(path)), { force: true }).catch((error: unknown) => {
      if (!isMissing(error)) throw fileFailure('still has its draft, which could not be removed', path, error);
    });
  }
}

/** Whether a flow has a draft, for many flows at once: the folders are read when this is called. */
export async function draftIndex(workspace: string): Promise<(path: string) => boolean> {
  const lists = await Promise.all(foldersOf(workspace).map((folder) => readdir(folder).catch(() => [])));
  const names = new Set(lists.flat());
  return (path) => names.has(fileName(path));
}

async function readOne(file: string, path: string): Promise<FlowDraft | null> {
  try {
    const draft = draftSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return draft.path === path ? draft : null;
  } catch {
    return null;
  }
}

function foldersOf(workspace: string): string[] {
  return [join(workspace, '.pravah', 'drafts'), join(profileFolder(), 'drafts', folderName(workspace))];
}

function folderName(workspace: string): string {
  return createHash('sha256').update(workspace).digest('hex').slice(0, 32);
}

/** The name shows which flow it is; the hash keeps flows of one name in different folders apart. */
function fileName(path: string): string {
  const shown = (path.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 80);
  return `${shown}.${createHash('sha256').update(path).digest('hex').slice(0, 16)}.json`;
}
