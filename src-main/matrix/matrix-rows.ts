import type { Journal } from '#main/journal/journal.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { usageAfter } from '#main/journal/run-usage.ts';
import { summaryOf } from '#main/runner/run-views.ts';
import { compareRuns } from '#main/time-travel/compare.ts';
import type { Matrix, MatrixRow } from '#shared/contract/matrix.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Prices } from '#shared/run/model-cost.ts';

/** The journal with the variants of a matrix, and that with their original, if it is still there. */
export interface MatrixJournals {
  readonly variants: Journal;
  readonly original: (runId: string) => Journal | null;
}

/** Returns a matrix as its runs stand. Throws `NotFound`. */
export function matrixOf({ variants, original }: MatrixJournals, group: string, prices: Prices, now: number): Matrix {
  const rows = variants.rowsOfGroup(group);
  const [first] = rows;
  const origin = first && variants.runOriginOf(first);
  if (!first || !origin) throw new FlowError('NotFound', `There is no matrix ${group} here: its runs were deleted.`);
  const { run_id, seq } = origin;
  const parent = original(run_id);
  return {
    group,
    run_id,
    seq,
    flow_path: first.flow_path,
    flow_name: first.flow_name,
    original: parent && rowOf(parent, parent.row(run_id), seq, prices, now),
    rows: rows.map((row) => ({
      ...rowOf(variants, row, 0, prices, now),
      first_difference: parent && isAtRest(row) ? firstDifference(parent, run_id, variants, row) : null,
    })),
  };
}

function rowOf(journal: Journal, row: RunRow, after: number, prices: Prices, now: number): MatrixRow {
  const { run_id, status, error } = summaryOf(journal, row, now);
  const { variant = '', copy = false } = journal.runOriginOf(row) ?? {};
  const timeline = new RunReader(journal, row).timeline(after + 1);
  return {
    run_id,
    name: variant,
    status,
    first_difference: null,
    output: row.output === null ? null : journal.values.read(row.output),
    error,
    ...usageAfter(journal, row, after, prices),
    duration_ms: timeline.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
    copy,
  };
}

/** A run in the middle would differ by the steps that it has not made yet. */
function isAtRest({ status }: RunRow): boolean {
  return status !== 'running' && status !== 'paused';
}

function firstDifference(original: Journal, runId: string, variants: Journal, row: RunRow): MatrixRow['first_difference'] {
  const { steps, first_divergence } = compareRuns({ journal: original, runId }, { journal: variants, runId: row.run_id });
  const step = first_divergence === null ? undefined : steps[first_divergence];
  if (!step) return null;
  const { seq, other_seq, node, differs } = step;
  return { seq, other_seq, node, differs: [...differs] };
}
