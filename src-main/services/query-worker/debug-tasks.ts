import { type Evaluated, evaluateAt } from '#main/debug/evaluate.ts';
import { type LineageRequest, lineage } from '#main/debug/lineage.ts';
import { previousStop, type RecordedStop } from '#main/debug/scan.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Lineage } from '#shared/contract/lineage.ts';
import type { BackgroundFolder } from './background-folder.ts';

interface AtRun {
  readonly run_id: string;
  readonly seq: number;
}

/** Background tasks of the debugger, which read records. */
export const debugTasks = {
  /** Evaluates expressions over a run as it was after a record. Throws `NotFound`. */
  async evaluate(
    { journals }: BackgroundFolder,
    { run_id: runId, seq, expressions }: AtRun & { readonly expressions: readonly string[] },
  ): Promise<Evaluated[]> {
    const journal = await journals.holding(runId);
    const row = journal.row(runId);
    return evaluateAt(journal.graphOf(row), new RunReader(journal, row), seq, expressions);
  },

  /** Returns the records that a state came from, or that used it. Throws `NotFound`. */
  async lineage({ journals }: BackgroundFolder, { run_id: runId, ...request }: LineageRequest & AtRun): Promise<Lineage> {
    const journal = await journals.holding(runId);
    return lineage(journal, journal.row(runId), request);
  },

  /** Returns the last place before a record at which a breakpoint would have stopped the run. Throws `NotFound`. */
  async previousStop(
    { journals }: BackgroundFolder,
    { run_id: runId, seq, breakpoints }: AtRun & { readonly breakpoints: readonly Breakpoint[] },
  ): Promise<RecordedStop | null> {
    const journal = await journals.holding(runId);
    const row = journal.row(runId);
    return previousStop(journal.graphOf(row), new RunReader(journal, row), breakpoints, seq);
  },
} as const;
