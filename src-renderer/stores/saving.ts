import { studio } from '#renderer/api/studio.ts';
import { isDirty, layoutOf, type OpenFlow, stateIn, withDisk, withSaved } from '#renderer/editing/open-flow.ts';
import { noticeDone, noticeFailure } from '#renderer/notices/notices.ts';
import { announce } from './announcer.ts';
import { changeFlow, editorStore } from './editor.ts';

const saving = new Set<string>();

/** Saves a flow. When the file changed on disk, nothing is written and the flow's `disk` says what is there. True when saved. */
export async function saveFlow(path: string): Promise<boolean> {
  const flow = editorStore.getState().flows[path];
  if (!flow || saving.has(path)) return false;
  if (!isDirty(flow) && !flow.disk) {
    announce('Nothing to save');
    return true;
  }
  saving.add(path);
  try {
    if (flow.code) {
      await saveLayoutOf(flow);
      return true;
    }
    const answer = await studio.flows.save({ path, text: flow.parsed.text, base_hash: flow.base_hash, layout: layoutOf(flow) });
    if (answer.status === 'conflict') {
      changeFlow(path, (open) => ({ ...open, disk: { text: answer.text, hash: answer.hash } }));
      announce('Not saved: the file has changed on disk');
      return false;
    }
    changeFlow(path, (open) => withSaved(open, stateIn(flow), answer.hash));
    announce('Saved');
    return true;
  } catch (thrown) {
    noticeFailure(`${path} was not saved`, thrown);
    return false;
  } finally {
    saving.delete(path);
  }
}

/** Saves where the nodes of a flow in code stand: all that is the studio's of it. */
export async function saveLayoutOf(flow: OpenFlow): Promise<void> {
  const layout = layoutOf(flow);
  if (layout) await studio.flows.saveLayout({ path: flow.path, layout });
  changeFlow(flow.path, (open) => withSaved(open, stateIn(flow), open.base_hash));
}

/** Saves over what is on disk, which the user has seen and given up. */
export async function overwriteFlow(path: string): Promise<void> {
  changeFlow(path, (flow) => (flow.disk ? { ...flow, base_hash: flow.disk.hash, disk: null } : flow));
  if (await saveFlow(path)) noticeDone(`${path} saved`);
}

/** Gives the edits up for what is on disk; undo brings them back. */
export async function takeFromDisk(path: string): Promise<void> {
  try {
    const content = await studio.flows.read({ path });
    changeFlow(path, (flow) => withDisk(flow, content, performance.now()));
  } catch (thrown) {
    noticeFailure(`${path} could not be read again`, thrown);
  }
}

/** Looks at flows whose files changed: an unedited one is read again, an edited one is told. */
export async function hearOfChanges(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const flow = editorStore.getState().flows[path];
    if (!flow || saving.has(path)) continue;
    try {
      const content = await studio.flows.read({ path });
      const now = editorStore.getState().flows[path];
      if (!now || saving.has(path) || content.hash === now.base_hash) continue;
      if (isDirty(now) && !now.code) changeFlow(path, (open) => ({ ...open, disk: { text: content.text, hash: content.hash } }));
      else changeFlow(path, (open) => withDisk(open, content, performance.now()));
    } catch {
      changeFlow(path, (open) => ({ ...open, disk: { text: null, hash: '' } }));
    }
  }
}
