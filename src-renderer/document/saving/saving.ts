import { studio } from '#renderer/api/studio.ts';
import {
  isDirty,
  layoutOf,
  type OpenFlow,
  stateIn,
  withContent,
  withDisk,
  withSavedLayout,
  withVersion,
} from '#renderer/document/editing/open-flow.ts';
import { changeFlow, editorStore, showFlow } from '#renderer/document/flows/editor.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeDone, noticeFailure } from '#renderer/shell/notices.ts';
import type { OtherDraft } from '#shared/contract/flows.ts';
import { readAgain, sendEdits, takeContent, windowId } from './sync.ts';
import { texts } from './texts.ts';

const saving = new Set<string>();

/** Saves a flow. If the file has changed on disk, writes nothing and sets the flow's `disk` to its content. True when saved. */
export async function saveFlow(path: string): Promise<boolean> {
  const flow = editorStore.getState().flows[path];
  if (!flow || saving.has(path)) return false;
  if (!isDirty(flow) && !flow.disk) {
    announce(texts.nothingToSave);
    return true;
  }
  saving.add(path);
  try {
    if (flow.code) {
      await saveLayoutOf(flow);
      return true;
    }
    return await saveShared(path);
  } catch (thrown) {
    noticeFailure(texts.notSaved(path), thrown);
    return false;
  } finally {
    saving.delete(path);
  }
}

/** Saves the version that all windows share, once it contains this window's edits. Edits that could not be saved as a draft (a full disk) may still fit into the file. */
async function saveShared(path: string): Promise<boolean> {
  const before = editorStore.getState().flows[path]?.others.length ?? 0;
  await sendEdits(path);
  const flow = editorStore.getState().flows[path];
  // The edit was refused just now: the shown text is no longer what the user wanted to save.
  if (!flow || flow.others.length > before) return false;
  const sent = stateIn(flow);
  const answer = await studio.flows.save({
    path,
    window: windowId,
    text: flow.parsed.text,
    base_hash: flow.base_hash,
    layout: layoutOf(flow),
    revision: flow.revision,
  });
  if (answer.status === 'conflict') {
    changeFlow(path, (open) => ({ ...open, disk: { text: answer.text, hash: answer.hash } }));
    announce(texts.changedOnDisk);
    return false;
  }
  changeFlow(path, (open) => withContent(open, answer.content, { at: performance.now(), sent }));
  announce(texts.saved);
  return true;
}

/** Saves the positions of the nodes of a flow in code: the only part that the studio owns. */
export async function saveLayoutOf(flow: OpenFlow): Promise<void> {
  const layout = layoutOf(flow);
  if (layout) await studio.flows.saveLayout({ path: flow.path, layout });
  changeFlow(flow.path, (open) => withSavedLayout(open, stateIn(flow)));
}

/** Overwrites the file on disk, which the user has seen and discarded. */
export async function overwriteFlow(path: string): Promise<void> {
  changeFlow(path, (flow) => (flow.disk ? { ...flow, base_hash: flow.disk.hash } : flow));
  if (await saveFlow(path)) noticeDone(texts.savedFile(path));
}

/** Replaces the edits with the file on disk; undo restores them. */
export async function takeFromDisk(path: string): Promise<void> {
  try {
    const content = await studio.flows.takeFile({ path, window: windowId });
    changeFlow(path, (flow) => withDisk(flow, content, performance.now()));
  } catch (thrown) {
    noticeFailure(texts.notReloaded(path), thrown);
  }
}

/** Reloads flows whose files changed. The service decides what that means for flows with unsaved edits. */
export async function hearOfChanges(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const flow = editorStore.getState().flows[path];
    if (!flow || saving.has(path)) continue;
    try {
      if (flow.code) await readCodeAgain(flow);
      else await readAgain(path);
    } catch {
      changeFlow(path, (open) => ({ ...open, disk: { text: null, hash: '' } }));
    }
  }
}

async function readCodeAgain({ path }: OpenFlow): Promise<void> {
  const content = await studio.flows.read({ path });
  changeFlow(path, (open) => (content.hash === open.base_hash ? open : withDisk(open, content, performance.now())));
}

/** Moves unsaved edits that are not part of the shown version to the trash. */
export async function dropOther(path: string, { id, hash }: OtherDraft): Promise<void> {
  try {
    takeContent(await studio.flows.dropOther({ path, window: windowId, id, hash }));
  } catch (thrown) {
    noticeFailure(texts.otherEdits.notDiscarded, thrown);
  }
}

/** Replaces the shown version with other unsaved edits, as one undo step. */
export async function takeOther(path: string, other: OtherDraft): Promise<void> {
  if (!(await sendEdits(path))) return;
  changeFlow(path, (flow) => withVersion(flow, other, { label: texts.otherEdits.use, at: performance.now() }));
  if (await sendEdits(path, other.base_hash)) await dropOther(path, other);
}

/** Saves other unsaved edits as a new flow, beside the shown one. */
export async function keepBoth(path: string, other: OtherDraft): Promise<void> {
  const folder = path.split('/').slice(0, -1).join('/');
  const name = `${(path.split('/').at(-1) ?? path).replace(/\.flow\.(yaml|yml|json)$/i, '')} other edits`;
  try {
    const { text, layout } = other;
    const made = await studio.flows.create({ name, text, ...(folder && { folder }), ...(layout && { layout }) });
    await dropOther(path, other);
    noticeDone(texts.otherEdits.saved(made.path));
    await showFlow(made.path);
  } catch (thrown) {
    noticeFailure(texts.otherEdits.notSaved, thrown);
  }
}
