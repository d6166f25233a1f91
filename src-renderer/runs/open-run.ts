import { noticeProblem } from '#renderer/notices/notices.ts';
import { showFlow } from '#renderer/stores/editor.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';

/** Shows a run, with its flow on the canvas. */
export async function openRun(run: { readonly run_id: string; readonly flow_path: string }): Promise<void> {
  await runSessionStore.getState().open(run.run_id);
  const { failure } = runSessionStore.getState();
  if (failure) noticeProblem('The run could not be opened', failure.message);
  else await showFlow(run.flow_path);
}
