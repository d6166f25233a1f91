import { studio } from '#renderer/api/studio.ts';
import { addFlow, closeFlow, editorStore, showFlow } from '#renderer/document/flows/editor.ts';
import { openedFlow } from '#renderer/document/reading/opened-flow.ts';
import { noticeDone, noticeFailure } from '#renderer/shell/notices.ts';
import { sendEdits } from './sync.ts';
import { texts } from './texts.ts';

/** Creates a flow file, and shows it unless `use` does something else with its path. True when it was created. */
export async function createFlowFile(
  name: string,
  { text, folder, use }: { readonly text?: (name: string) => string; readonly folder?: string; readonly use?: (path: string) => void } = {},
): Promise<boolean> {
  try {
    const content = await studio.flows.create({ name, ...(text && { text: text(name) }), ...(folder && { folder }) });
    if (use) use(content.path);
    else {
      addFlow(await openedFlow(content));
      await showFlow(content.path);
    }
    return true;
  } catch (thrown) {
    noticeFailure(texts.file.notCreated(name), thrown);
    return false;
  }
}

/** Renames a flow file with its layout and draft; an open one stays open under its new name. */
export async function renameFlowFile(path: string, newPath: string): Promise<boolean> {
  if (newPath === path) return true;
  try {
    // The draft and layout move with the file.
    if (!(await sendEdits(path))) return false;
    await studio.flows.rename({ path, new_path: newPath });
  } catch (thrown) {
    noticeFailure(texts.file.notRenamed(path), thrown);
    return false;
  }
  const { flows, current } = editorStore.getState();
  if (flows[path]) {
    closeFlow(path);
    if (current === path) await showFlow(newPath);
  }
  return true;
}

/** Moves a flow file to the trash. */
export async function removeFlowFile(path: string): Promise<boolean> {
  try {
    await studio.flows.remove({ path });
    closeFlow(path);
    noticeDone(texts.file.removed(path));
    return true;
  } catch (thrown) {
    noticeFailure(texts.file.notRemoved(path), thrown);
    return false;
  }
}
