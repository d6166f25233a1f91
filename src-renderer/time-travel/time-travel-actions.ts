import { noticeProblem } from '#renderer/notices/notices.ts';
import type { RunView } from '#renderer/stores/run-fold.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';
import type { FlowChoice } from '#shared/contract/time-travel.ts';
import { replayRun } from './replay.ts';
import { openTimeTravelDialog } from './time-travel-dialogs.ts';

/** Does something with the shown run and the step that is looked at, or says that there is none. */
function withRun(act: (view: RunView, seq: number) => void): void {
  const { view, selected } = runSessionStore.getState();
  if (view) act(view, selected ?? view.seq);
  else noticeProblem('No run is shown', 'Start a run, or open one from the list at the right end of the bottom panel.');
}

/** Asks with which states a new run begins where the shown one stood; at the step that is looked at unless `at` names another. */
export function forkShownRun(at?: number, flow: FlowChoice = 'recorded'): void {
  withRun((run, seq) => openTimeTravelDialog({ type: 'fork', run, seq: at ?? seq, flow }));
}

export function restoreFilesOfShownRun(at?: number): void {
  withRun((run, seq) => openTimeTravelDialog({ type: 'restore', run, seq: at ?? seq }));
}

export function replayShownRun(flow: FlowChoice): void {
  withRun(({ run_id }) => void replayRun(run_id, flow));
}

export function compareShownRun(): void {
  withRun((run) => openTimeTravelDialog({ type: 'compare', run }));
}

export function exportShownRun(): void {
  withRun((run) => openTimeTravelDialog({ type: 'export', run }));
}
