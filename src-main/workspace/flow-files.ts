import { createHash } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, fileFailure, isMissing } from '#main/platform/file-failure.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { canonicalText } from '#shared/flow/edit/format-flow.ts';
import { isCodeFlow, isReadOnlyFlow, mayBeWorkflow, withoutFlowEnding } from '#shared/flow/flow-file.ts';
import { type Layout, layoutSchema, layoutText } from '#shared/flow/layout/layout.ts';
import { flowLanguage } from '#shared/flow/parse-flow.ts';
import { FlowError } from '#shared/run/error.ts';
import { decodeText } from './decode-text.ts';
import { moveDrafts, trashDrafts } from './flow-drafts.ts';
import { flowFile, layoutFile } from './flow-path.ts';
import { makePravahFolder } from './pravah-folder.ts';

/** Result of saving. With `conflict`, nothing was written and the fields describe the current file (`text` null: it is missing or not text). */
export type SaveResult =
  | { readonly status: 'saved'; readonly hash: string }
  | { readonly status: 'conflict'; readonly text: string | null; readonly hash: string };

interface OnDisk {
  readonly hash: string;
  /** Null if the bytes are not valid UTF-8. */
  readonly text: string | null;
}

/** A flow file with the layout beside it. `hash` is SHA-256 (hex) of its bytes. */
export interface FlowOnDisk {
  readonly text: string;
  readonly hash: string;
  readonly layout: Layout | null;
}

/** Reads a flow with its layout. `workspace` is a real path, `path` relative to it. Throws `FlowError`. */
export async function readFlow(workspace: string, path: string): Promise<FlowOnDisk> {
  const file = await flowFile(workspace, path);
  const { bytes, text } = await readText(file, path);
  return { text, hash: hashOf(bytes), layout: await readLayout(file) };
}

/** Reads the file of a flow in code or a PyFlow workflow, and the layout beside it. Throws `FlowError`. */
export async function readCodeFlow(workspace: string, path: string): Promise<{ file: string; source: string; layout: Layout | null }> {
  const file = await flowFile(workspace, path);
  const { text } = await readText(file, path);
  return { file, source: text, layout: await readLayout(file) };
}

/**
 * Saves a flow atomically if the file's hash is still `base_hash` (empty: the file is missing). Saving identical text changes no
 * byte. If it throws `FlowError`, the file is unchanged.
 */
export async function saveFlow(
  workspace: string,
  path: string,
  text: string,
  base_hash: string,
  layout: Layout | null,
): Promise<SaveResult> {
  if (isReadOnlyFlow(path)) {
    const what = isCodeFlow(path) ? 'a flow in code' : 'a PyFlow workflow';
    throw new FlowError('BuildError', `${path} is ${what}. Change it in a code editor.`, { details: { path } });
  }
  const file = await flowFile(workspace, path);
  const before = await onDisk(file, path);
  if ((before?.hash ?? '') !== base_hash) return conflict(before);
  let hash = before?.hash ?? '';
  if (text !== before?.text) {
    const bytes = Buffer.from(text, 'utf8');
    hash = hashOf(bytes);
    const changed = new FlowError('Conflict', 'The file has changed.');
    const check = async () => {
      if (((await onDisk(file, path))?.hash ?? '') !== base_hash) throw changed;
    };
    try {
      await replaceFile(file, bytes, { check });
    } catch (error) {
      if (error === changed) return conflict(await onDisk(file, path));
      throw fileFailure('could not be saved', path, error);
    }
  }
  if (layout) await saveLayout(workspace, path, layout);
  return { status: 'saved', hash };
}

/** Writes the positions beside a flow. */
export async function saveLayout(workspace: string, path: string, layout: Layout): Promise<void> {
  const file = layoutFile(await flowFile(workspace, path));
  const text = layoutText(layout);
  if ((await readFile(file, 'utf8').catch(() => null)) === text) return;
  await replaceFile(file, text).catch((error: unknown) => {
    throw fileFailure('could not be saved', basename(file), error);
  });
}

/** Content and location of a new flow. Default: a minimal flow at the top of the workspace. */
interface NewFlow {
  /** Path of an existing folder, relative to the workspace. */
  readonly folder?: string | undefined;
  /** YAML. */
  readonly text?: string | undefined;
  readonly layout?: Layout | undefined;
}

/**
 * Creates a new flow; the default content is valid. `name` is its title; the file name is derived from it, with a number if
 * it is taken. Returns the path.
 */
export async function createFlow(workspace: string, name: string, given: NewFlow = {}): Promise<string> {
  const title = withoutFlowEnding(name.trim());
  const language = given.text === undefined && /\.flow\.json$/i.test(name.trim()) ? 'json' : 'yaml';
  const slug =
    title
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'flow';
  const schema = { type: 'object' };
  const minimal = canonicalText(
    {
      pravah: 1,
      name: title || 'Flow',
      input: 'Input',
      output: 'Output',
      schemas: { Input: schema, Output: schema },
      nodes: [{ kind: 'work', from: 'Input', to: 'Output' }],
    },
    language,
  );
  for (let number = 1; ; number++) {
    const file = `${slug}${number === 1 ? '' : `-${number}`}.flow.${language}`;
    const path = given.folder ? `${given.folder}/${file}` : file;
    if (!(await createFile(await flowFile(workspace, path), given.text ?? minimal, path))) continue;
    if (given.layout) await saveLayout(workspace, path, given.layout);
    return path;
  }
}

/** Renames or moves a flow with its layout and unsaved edits inside the folder. Refuses an existing name. */
export async function renameFlow(workspace: string, path: string, newPath: string): Promise<void> {
  const from = await flowFile(workspace, path);
  const to = await flowFile(workspace, newPath);
  if (from === to) return;
  const sameKind = isCodeFlow(path) === isCodeFlow(newPath) && mayBeWorkflow(path) === mayBeWorkflow(newPath);
  if (flowLanguage(path) !== flowLanguage(newPath) || !sameKind) {
    throw new FlowError('NotFound', `Can't rename ${path} to ${newPath}: the file extension must stay the same.`, {
      details: { path: newPath },
    });
  }
  await moveUnlessTaken(from, to, path, newPath);
  await moveUnlessTaken(layoutFile(from), layoutFile(to), path, newPath).catch((error: unknown) => {
    if (!(error instanceof FlowError && error.variant === 'NotFound')) throw error;
  });
  await moveDrafts(workspace, path, newPath);
}

/** Moves a flow with its layout and unsaved edits to `.pravah/trash`. */
export async function removeFlow(workspace: string, path: string): Promise<void> {
  const file = await flowFile(workspace, path);
  try {
    const trash = makePravahFolder(workspace, 'trash', new Date().toISOString().replaceAll(':', '-'));
    await rename(file, join(trash, basename(file)));
    await rename(layoutFile(file), join(trash, basename(layoutFile(file)))).catch(ignoreMissing);
  } catch (error) {
    if (isMissing(error)) throw new FlowError('NotFound', `${path} no longer exists.`, { details: { path } });
    throw fileFailure('could not be removed', path, error);
  }
  await trashDrafts(workspace, path);
}

async function readText(file: string, path: string): Promise<{ readonly bytes: Uint8Array; readonly text: string }> {
  const bytes = await readFile(file).catch((error: unknown) => {
    if (isMissing(error))
      throw new FlowError('NotFound', `${path} doesn't exist. It may have been moved or deleted.`, { details: { path } });
    throw fileFailure('cannot be read', path, error);
  });
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw new FlowError('BuildError', `${path}: ${decoded.message}`, { details: { path } });
  return { bytes, text: decoded.text };
}

function conflict(disk: OnDisk | null): SaveResult {
  return { status: 'conflict', text: disk?.text ?? null, hash: disk?.hash ?? '' };
}

async function onDisk(file: string, path: string): Promise<OnDisk | null> {
  try {
    const bytes = await readFile(file);
    const decoded = decodeText(bytes);
    return { hash: hashOf(bytes), text: decoded.ok ? decoded.text : null };
  } catch (error) {
    if (isMissing(error)) return null;
    throw fileFailure('cannot be read', path, error);
  }
}

/** Reads the layout of a flow; null if it is missing or invalid, so that the flow is laid out automatically. */
async function readLayout(flow: string): Promise<Layout | null> {
  try {
    return layoutSchema.parse(JSON.parse(await readFile(layoutFile(flow), 'utf8')));
  } catch {
    return null;
  }
}

/** Creates a file; returns false if it already exists. */
async function createFile(file: string, text: string, path: string): Promise<boolean> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await replaceFile(temporary, text);
    await link(temporary, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw fileFailure('could not be created', path, error);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Moves a file through a hard link, which, unlike a rename, never replaces an existing file. */
async function moveUnlessTaken(from: string, to: string, path: string, newPath: string): Promise<void> {
  try {
    await mkdir(dirname(to), { recursive: true });
    await stat(from);
    await link(from, to);
    await unlink(from);
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new FlowError('Conflict', `${newPath} already exists. Choose another name.`, { details: { path: newPath } });
    if (isMissing(error)) throw new FlowError('NotFound', `${path} no longer exists.`, { details: { path } });
    throw fileFailure('could not be renamed', path, error);
  }
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** Returns the SHA-256 of bytes, in hex. */
function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
