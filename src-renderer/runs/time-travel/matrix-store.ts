import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { showRunNow } from '#renderer/runs/model/open-run.ts';
import { consentedRuns, runListStore } from '#renderer/runs/model/run-stores.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import type { Matrix, MatrixRequest, MatrixRow } from '#shared/contract/matrix.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { TransferableError } from '#shared/run/error.ts';
import { compareRuns } from './comparison.ts';
import { matrixTexts } from './matrix-texts.ts';

/** The shown matrix. */
interface ShownMatrix {
  readonly group: string | null;
  /** Null until it has loaded. */
  readonly matrix: Matrix | null;
  readonly failure: TransferableError | null;
}

export const matrixStore = createStore<ShownMatrix>()(() => ({ group: null, matrix: null, failure: null }));

/** Shortest time between two loads while variants run, in milliseconds. */
const pause = 300;

let unfollow = () => {};
let loading = false;
let again = false;

/** Returns the matrix that a run is the original or a variant of, the last made; null if there is none. */
export function lastMatrixOf(runs: readonly RunSummary[], run_id: string): string | null {
  const variants = runs.filter(
    (run) => run.forked_from?.group !== undefined && (run.run_id === run_id || run.forked_from.run_id === run_id),
  );
  const [last] = variants.toSorted((one, other) => other.created_at - one.created_at);
  return last?.forked_from?.group ?? null;
}

/** Shows a matrix, and follows its runs until it is closed. */
export async function openMatrix(group: string): Promise<void> {
  unfollow();
  matrixStore.setState({ group, matrix: null, failure: null });
  panelsStore.getState().showBottom('matrix');
  let last = runListStore.getState().runs;
  unfollow = runListStore.subscribe(({ runs }) => {
    const changed = runs.some((run) => run.forked_from?.group === group && !last.includes(run));
    last = runs;
    if (changed) void load();
  });
  await load();
}

/** Makes a matrix, shows it and runs its variants. */
export async function startMatrix(request: MatrixRequest): Promise<void> {
  const { group } = await studio.runs.makeMatrix(request);
  await openMatrix(group);
  await runMatrix();
}

/** Runs the variants of the shown matrix that have not run yet. */
export async function runMatrix(): Promise<void> {
  const { group } = matrixStore.getState();
  if (group === null) return;
  try {
    await consentedRuns.runMatrix({ group });
  } catch (thrown) {
    noticeFailure(matrixTexts.panel.failed, thrown);
  }
  await load();
}

/** Cancels the variants that have not ended. */
export async function stopMatrix(): Promise<void> {
  const { group } = matrixStore.getState();
  if (group === null) return;
  await studio.runs.stopMatrix({ group }).catch((thrown: unknown) => noticeFailure(matrixTexts.panel.failed, thrown));
  await load();
}

export function closeMatrix(): void {
  unfollow();
  matrixStore.setState({ group: null, matrix: null, failure: null });
  if (panelsStore.getState().bottom.tab === 'matrix') panelsStore.getState().showBottom('timeline');
}

/** Compares a variant with its original. */
export async function compareVariant({ run_id, flow_path }: Matrix, row: MatrixRow): Promise<void> {
  await showRunNow({ run_id, flow_path });
  await compareRuns(run_id, row.run_id);
}

/** One load at a time; of the changes meanwhile, one more. */
async function load(): Promise<void> {
  again = true;
  if (loading) return;
  loading = true;
  while (again) {
    again = false;
    const { group } = matrixStore.getState();
    if (group === null) break;
    try {
      const matrix = await studio.runs.matrix({ group });
      if (matrixStore.getState().group === group) matrixStore.setState({ matrix, failure: null });
    } catch (thrown) {
      if (matrixStore.getState().group === group) matrixStore.setState({ failure: failureOf(thrown) });
    }
    await new Promise((done) => setTimeout(done, pause));
  }
  loading = false;
}
