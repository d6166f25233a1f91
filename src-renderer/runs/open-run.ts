import { noticeProblem } from '#renderer/notices/notices.ts';
import { showFlow } from '#renderer/stores/editor.ts';
import { panelsStore } from '#renderer/stores/panels.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';
import { isTriedPath } from '#renderer/tools/tried-flow.ts';

interface NamedRun {
  readonly run_id: string;
  readonly flow_path: string;
}

/** Shows a run, with its flow on the canvas. */
export async function openRun(run: NamedRun): Promise<void> {
  await runSessionStore.getState().open(run.run_id);
  const { failure } = runSessionStore.getState();
  if (failure) noticeProblem('The run could not be opened', failure.message);
  else if (!isTriedPath(run.flow_path)) await showFlow(run.flow_path);
}

/** Shows a run with its timeline; with `seq`, as it was after that record. */
export async function showRunNow(run: NamedRun, seq?: number): Promise<void> {
  await openRun(run);
  const { view, select } = runSessionStore.getState();
  if (view?.run_id !== run.run_id) return;
  panelsStore.getState().showBottom('timeline');
  if (seq !== undefined) select(seq);
}
