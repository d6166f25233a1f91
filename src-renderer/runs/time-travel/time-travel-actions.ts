import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { runListStore, runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { texts } from '#renderer/runs/model/texts.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import type { FlowChoice } from '#shared/contract/time-travel.ts';
import { lastMatrixOf, openMatrix } from './matrix-store.ts';
import { matrixTexts } from './matrix-texts.ts';
import { replayRun } from './replay.ts';
import { openTimeTravelDialog } from './time-travel-dialogs.ts';

/** Calls `act` with the shown run and its selected step, or tells the user that no run is shown. */
function withRun(act: (view: RunView, seq: number) => void): void {
  const { view, selected } = runSessionStore.getState();
  if (view) act(view, selected ?? view.seq);
  else noticeProblem(texts.noRun.title, texts.noRun.message);
}

/** Opens the dialog that starts a new run from step `at` of the shown one, by default the selected step. */
export function forkShownRun(at?: number, flow: FlowChoice = 'recorded'): void {
  withRun((run, seq) => openTimeTravelDialog({ type: 'fork', run, seq: at ?? seq, flow }));
}

/** Opens the dialog that runs variants of the shown run from step `at`, by default the selected step. */
export function matrixOfShownRun(at?: number): void {
  withRun((run, seq) => openTimeTravelDialog({ type: 'matrix', run, seq: at ?? seq }));
}

/** Shows the last matrix that the shown run is the original or a variant of. */
export function showMatrixOfShownRun(): void {
  withRun(({ run_id }) => {
    const group = lastMatrixOf(runListStore.getState().runs, run_id);
    if (group === null) noticeProblem(matrixTexts.none.title, matrixTexts.none.message);
    else void openMatrix(group);
  });
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
