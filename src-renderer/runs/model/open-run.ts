import { addFlow, editorStore, showFlow } from '#renderer/document/flows/editor.ts';
import { openedFlow } from '#renderer/document/reading/opened-flow.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { workspaceStore } from '#renderer/workspace/folder/workspace.ts';
import { isTriedPath } from '#shared/flow/tried-path.ts';
import type { RunView } from './run-fold.ts';
import { runSessionStore } from './run-stores.ts';
import { texts } from './texts.ts';

interface NamedRun {
  readonly run_id: string;
  readonly flow_path: string;
}

/** Shows a run, with its flow on the canvas. */
export async function openRun(run: NamedRun): Promise<void> {
  await runSessionStore.getState().open(run.run_id);
  const { failure, view } = runSessionStore.getState();
  if (failure) noticeProblem(texts.notOpened, failure.message);
  else if (!isTriedPath(run.flow_path)) {
    const inFolder = workspaceStore.getState().workspace?.flows.some(({ path }) => path === run.flow_path);
    if (!inFolder && view?.run_id === run.run_id) await takeRecordedFlow(view);
    await showFlow(run.flow_path);
  }
}

/** Opens the recorded flow of a run whose file is not in the folder (the run came in a capsule, or the file is gone). Saving creates the file. */
async function takeRecordedFlow({ flow_path, flow_text }: RunView): Promise<void> {
  if (editorStore.getState().flows[flow_path]) return;
  const content = { path: flow_path, text: flow_text, hash: '', layout: null, code: null, revision: null, draft: null, others: [] };
  const flow = await openedFlow(content);
  if (!editorStore.getState().flows[flow_path]) addFlow(flow);
}

/** Shows a run with its timeline; with `seq`, as it was after that step. */
export async function showRunNow(run: NamedRun, seq?: number): Promise<void> {
  await openRun(run);
  const { view, select } = runSessionStore.getState();
  if (view?.run_id !== run.run_id) return;
  panelsStore.getState().offerBottom('timeline');
  if (seq !== undefined) select(seq);
}
