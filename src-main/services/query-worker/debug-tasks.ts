import { assertSupplied, suppliedFaults } from '#main/debug/check-supplied.ts';
import { type Evaluated, evaluateAt, type PlotPoint, plotOver } from '#main/debug/evaluate.ts';
import { type FindRequest, type FoundPart, findInRun } from '#main/debug/find.ts';
import { type LineageRequest, lineage } from '#main/debug/lineage.ts';
import { previousStop, type RecordedStop } from '#main/debug/scan.ts';
import { StateHistory } from '#main/debug/state-history.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { readPrices } from '#main/models/settings/prices.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Lineage } from '#shared/contract/lineage.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import type { BackgroundFolder } from './background-folder.ts';

/** How long a part of a search may take, in milliseconds. Other tasks wait meanwhile. */
const partOfSearch = 100;

interface AtRun {
  readonly run_id: string;
  readonly seq: number;
}

/** Background tasks of the debugger, which read records. */
export const debugTasks = {
  /** Evaluates expressions over a run as it was after a record. Throws `NotFound`. */
  async evaluate(
    { journals, folder }: BackgroundFolder,
    { run_id: runId, seq, expressions }: AtRun & { readonly expressions: readonly string[] },
  ): Promise<Evaluated[]> {
    const journal = await journals.holding(runId);
    const row = journal.row(runId);
    return evaluateAt(journal.graphOf(row), new RunReader(journal, row, await readPrices(folder)), seq, expressions);
  },

  /** Returns the records that a state came from, or that used it. Throws `NotFound`. */
  async lineage({ journals }: BackgroundFolder, { run_id: runId, ...request }: LineageRequest & AtRun): Promise<Lineage> {
    const journal = await journals.holding(runId);
    return lineage(journal, journal.row(runId), request);
  },

  /** Performs a part of a search that takes a fraction of a second. Throws `NotFound`, and `Invalid` for an expression that can't be parsed. */
  async find(
    { journals, folder }: BackgroundFolder,
    { run_id: runId, ...request }: FindRequest & { readonly run_id: string },
  ): Promise<FoundPart> {
    const journal = await journals.holding(runId);
    const prices = await readPrices(folder);
    const started = performance.now();
    return findInRun(journal, journal.row(runId), request, () => performance.now() - started < partOfSearch, prices);
  },

  /** Returns the records before and after record `seq` that wrote a state. Throws `NotFound`. */
  async writesAround(
    { journals }: BackgroundFolder,
    { run_id: runId, seq, state, item }: AtRun & { readonly state: string; readonly item?: string | undefined },
  ): Promise<{ previous: number | null; next: number | null }> {
    const journal = await journals.holding(runId);
    return new StateHistory(journal, journal.row(runId)).writesAround(item ?? null, state, seq);
  },

  /** Checks pins against the flows with these texts, and mocks against the built-in tools. Throws `FlowError` `Invalid` for the first that doesn't fit. */
  async checkSupplied(
    folder: BackgroundFolder,
    {
      supplied,
      texts,
      trusted,
    }: { readonly supplied: readonly Supplied[]; readonly texts: Readonly<Record<string, string>>; readonly trusted: boolean },
  ): Promise<void> {
    const tools = builtInTools();
    const outputSchemaOf = (tool: string) => tools.get(tool)?.output_schema;
    assertSupplied(
      suppliedFaults(
        null,
        supplied.filter(({ kind }) => kind !== 'pin'),
        outputSchemaOf,
      ),
    );
    for (const [path, text] of Object.entries(texts)) {
      const { graph } = await folder.build({ path, text, trusted });
      // A flow with errors can't be run, so its pins are checked when they are used.
      if (graph)
        assertSupplied(
          suppliedFaults(
            graph,
            supplied.filter((each) => each.kind === 'pin' && each.flow === path),
            outputSchemaOf,
          ),
        );
    }
  },

  /** Evaluates an expression over a whole run, at some of its records. Throws `NotFound`, and `Invalid` for one that can't be parsed. */
  async plot(
    { journals, folder }: BackgroundFolder,
    { run_id: runId, expression }: { readonly run_id: string; readonly expression: string },
  ): Promise<PlotPoint[]> {
    const journal = await journals.holding(runId);
    const row = journal.row(runId);
    return plotOver(journal.graphOf(row), new RunReader(journal, row, await readPrices(folder)), expression);
  },

  /** Returns the last place before a record at which a breakpoint would have stopped the run. Throws `NotFound`. */
  async previousStop(
    { journals, folder }: BackgroundFolder,
    { run_id: runId, seq, breakpoints }: AtRun & { readonly breakpoints: readonly Breakpoint[] },
  ): Promise<RecordedStop | null> {
    const journal = await journals.holding(runId);
    const row = journal.row(runId);
    return previousStop(journal.graphOf(row), new RunReader(journal, row, await readPrices(folder)), breakpoints, seq);
  },
} as const;
