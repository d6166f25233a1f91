import { createHash, randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { fileFailure, isMissing, isReadOnly } from '#main/platform/file-failure.ts';
import { makeProfileFolder, profileFolder } from '#main/platform/profile.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { layoutSchema } from '#shared/contract/flows.ts';
import { makePravahFolder } from './pravah-folder.ts';

const draftSchema = z.object({
  path: z.string(),
  text: z.string(),
  layout: layoutSchema.nullable(),
  base_hash: z.string(),
  saved_at: z.number(),
  continues: z.array(z.object({ id: z.string(), hash: z.string() })).default([]),
  refused: z.boolean().default(false),
});

/**
 * Unsaved edits of a flow. `base_hash` is the hash of the flow file on which they are based, `saved_at` in milliseconds since 1970. `continues` names
 * drafts of other writers, by exact version, that these edits include. `refused` edits could not be merged and need the user's decision.
 */
export type FlowDraft = z.infer<typeof draftSchema>;

/** A draft on disk. `id` is its writer, `hash` the SHA-256 (hex) of its file. */
export interface StoredDraft extends FlowDraft {
  readonly id: string;
  readonly hash: string;
}

/**
 * Writes unsaved edits: on disk, synced, when this returns. Every writer has its own file, so no program replaces another's edits. Drafts
 * are in `.pravah/drafts`, or in the user's profile if the folder is not writable. Returns the file's hash. Throws `FlowError` if neither is
 * writable; the writer's earlier draft is then unchanged.
 */
export async function writeDraft(workspace: string, id: string, draft: FlowDraft): Promise<string> {
  const text = `${JSON.stringify(draft)}\n`;
  const name = fileName(draft.path, id);
  try {
    await replaceFile(join(makePravahFolder(workspace, 'drafts'), name), text, { mode: 0o600 });
  } catch (error) {
    if (!isReadOnly(error)) throw fileFailure('could not be saved as a draft', draft.path, error);
    const folder = await makeProfileFolder('drafts', folderName(workspace));
    await replaceFile(join(folder, name), text, { mode: 0o600 }).catch((reason: unknown) => {
      throw fileFailure('could not be saved as a draft', draft.path, reason);
    });
  }
  return hashOf(text);
}

/** Returns all readable unsaved edits of a flow that no other draft continues, newest first. */
export async function readDrafts(workspace: string, path: string): Promise<readonly StoredDraft[]> {
  const drafts = await allDrafts(workspace, path);
  const continued = new Set(drafts.flatMap(({ continues }) => continues.map(({ id, hash }) => `${id} ${hash}`)));
  return drafts.filter(({ id, hash }) => !continued.has(`${id} ${hash}`)).sort((one, other) => other.saved_at - one.saved_at);
}

/** Removes a draft if its hash is unchanged, so that later edits of its writer are preserved. */
export async function removeDraft(workspace: string, path: string, id: string, hash: string): Promise<void> {
  await removeUnchanged(workspace, path, id, hash, (file) => rm(file, { force: true }));
}

/** Moves a draft to `.pravah/trash` if its hash is unchanged. */
export async function trashDraft(workspace: string, path: string, id: string, hash: string): Promise<void> {
  await removeUnchanged(workspace, path, id, hash, async (file) => {
    const trash = makePravahFolder(workspace, 'trash', new Date().toISOString().replaceAll(':', '-'));
    await rename(file, join(trash, fileName(path, id)));
  });
}

/** Moves all drafts of a flow to the trash, with the flow itself. */
export async function trashDrafts(workspace: string, path: string): Promise<void> {
  for (const { id, hash } of await allDrafts(workspace, path)) await trashDraft(workspace, path, id, hash);
}

/** Moves all drafts of a flow to its new path. */
export async function moveDrafts(workspace: string, path: string, newPath: string): Promise<void> {
  for (const { id, hash, ...draft } of await allDrafts(workspace, path)) {
    await writeDraft(workspace, id, { ...draft, path: newPath });
    await removeDraft(workspace, path, id, hash);
  }
}

/** Whether a flow has a draft, for many flows at once: the folders are read when this is called. */
export async function draftIndex(workspace: string): Promise<(path: string) => boolean> {
  const lists = await Promise.all(foldersOf(workspace).map((folder) => readdir(folder).catch(() => [])));
  const prefixes = new Set(lists.flat().map((name) => name.replace(/(\.[0-9a-f]{16})(\.[\w-]*)?\.json$/, '$1')));
  return (path) => prefixes.has(prefixOf(path));
}

/** Changes whenever a draft of the workspace is written or removed. */
export async function draftsChange(workspace: string): Promise<string> {
  const times = await Promise.all(
    foldersOf(workspace).map((folder) =>
      stat(folder, { bigint: true }).then(
        ({ mtimeNs }) => String(mtimeNs),
        () => '',
      ),
    ),
  );
  return times.join(' ');
}

async function allDrafts(workspace: string, path: string): Promise<StoredDraft[]> {
  const found: StoredDraft[] = [];
  for (const folder of foldersOf(workspace)) {
    for (const name of await readdir(folder).catch(() => [])) {
      const id = idOf(name, path);
      const draft = id === null ? null : await readOne(join(folder, name), path, id);
      if (draft) found.push(draft);
    }
  }
  return found;
}

async function readOne(file: string, path: string, id: string): Promise<StoredDraft | null> {
  try {
    const text = await readFile(file, 'utf8');
    const draft = draftSchema.parse(JSON.parse(text));
    return draft.path === path ? { ...draft, id, hash: hashOf(text) } : null;
  } catch {
    return null;
  }
}

/**
 * Moves a draft's file away from its writer before checking it: a version that the writer has written in the meantime is put back, unless there is
 * a newer one.
 */
async function removeUnchanged(
  workspace: string,
  path: string,
  id: string,
  hash: string,
  act: (file: string) => Promise<void>,
): Promise<void> {
  for (const folder of foldersOf(workspace)) {
    const file = join(folder, fileName(path, id));
    const moved = join(dirname(file), `.${randomBytes(9).toString('base64url')}.moved`);
    try {
      if ((await readOne(file, path, id))?.hash !== hash) continue;
      await rename(file, moved);
      if ((await readOne(moved, path, id))?.hash === hash) await act(moved);
    } catch (error) {
      if (!isMissing(error)) throw fileFailure('still has its draft, which could not be removed', path, error);
    } finally {
      // Put an unmatched version back, unless its writer has written a newer one.
      await link(moved, file).catch(() => undefined);
      await rm(moved, { force: true });
    }
  }
}

function foldersOf(workspace: string): string[] {
  return [join(workspace, '.pravah', 'drafts'), join(profileFolder(), 'drafts', folderName(workspace))];
}

function folderName(workspace: string): string {
  return hashOf(workspace).slice(0, 32);
}

/** The name shows the flow; the hash distinguishes flows of the same name in different folders. */
function prefixOf(path: string): string {
  const shown = (path.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 80);
  return `${shown}.${hashOf(path).slice(0, 16)}`;
}

/** The name ends with the writer's id. Version 0.1 had one draft per flow, without an id. */
function fileName(path: string, id: string): string {
  return id === '' ? `${prefixOf(path)}.json` : `${prefixOf(path)}.${id}.json`;
}

/** Returns the writer of a draft file of this flow; null for other files. */
function idOf(name: string, path: string): string | null {
  const prefix = prefixOf(path);
  if (!name.startsWith(`${prefix}.`) || !name.endsWith('.json')) return null;
  return name.slice(prefix.length + 1, -'json'.length).replace(/\.$/, '');
}

/** Returns the SHA-256 of a text, in hex. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
