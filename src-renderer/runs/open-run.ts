import { noticeProblem } from '#renderer/notices/notices.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';

type FlowOpener = (path: string) => Promise<boolean>;

let openFlow: FlowOpener = async () => true;

/** Tells how a run's flow is brought onto the canvas; resolves to false where it cannot be. */
export function setFlowOpener(opener: FlowOpener): void {
  openFlow = opener;
}

/** Shows a run, with its flow on the canvas. */
export async function openRun(run: { readonly run_id: string; readonly flow_path: string }): Promise<void> {
  const session = runSessionStore.getState();
  await session.open(run.run_id);
  const { failure } = runSessionStore.getState();
  if (failure) noticeProblem('The run could not be opened', failure.message);
  else await openFlow(run.flow_path);
}
