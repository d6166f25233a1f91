import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import type { ComparedStep, Comparison, StepComparison } from '#shared/contract/time-travel.ts';
import type { TransferableError } from '#shared/run/error.ts';
import { texts } from './texts.ts';

/** Lines loaded at once. */
export const pageLines = 500;

/** Two runs side by side, as far as they have loaded. */
export interface ShownComparison {
  readonly run_id: string;
  readonly other_run_id: string;
  /** The summary of the comparison; null until it has loaded. */
  readonly whole: Omit<Comparison, 'from' | 'steps'> | null;
  /** Lines by page. */
  readonly pages: ReadonlyMap<number, readonly ComparedStep[]>;
  /** The line whose differences are shown. */
  readonly line: number | null;
  readonly differences: StepComparison | null;
  readonly failure: TransferableError | null;
}

/** The shown comparison, or null. */
export const comparisonStore = createStore<{ readonly comparison: ShownComparison | null }>()(() => ({ comparison: null }));

const reading = new Set<number>();

function change(
  of: Pick<ShownComparison, 'run_id' | 'other_run_id'>,
  next: (comparison: ShownComparison) => Partial<ShownComparison>,
): void {
  const { comparison } = comparisonStore.getState();
  if (comparison?.run_id !== of.run_id || comparison.other_run_id !== of.other_run_id) return;
  comparisonStore.setState({ comparison: { ...comparison, ...next(comparison) } });
}

async function readPage(of: ShownComparison, page: number): Promise<void> {
  if (reading.has(page)) return;
  reading.add(page);
  const { run_id, other_run_id } = of;
  try {
    const { steps, from: _from, ...whole } = await studio.runs.compare({ run_id, other_run_id, from: page * pageLines, limit: pageLines });
    change(of, ({ pages }) => ({ whole, pages: new Map(pages).set(page, steps), failure: null }));
  } catch (thrown) {
    change(of, () => ({ failure: failureOf(thrown) }));
  } finally {
    reading.delete(page);
  }
}

/** Compares two runs and goes to the first difference. */
export async function compareRuns(run_id: string, other_run_id: string): Promise<void> {
  const comparison: ShownComparison = {
    run_id,
    other_run_id,
    whole: null,
    pages: new Map(),
    line: null,
    differences: null,
    failure: null,
  };
  reading.clear();
  comparisonStore.setState({ comparison });
  panelsStore.getState().showBottom('compare');
  await readPage(comparison, 0);
  const first = comparisonStore.getState().comparison?.whole?.first_divergence;
  if (first === undefined) return;
  announce(first === null ? texts.compare.announceSame : texts.compare.announceFirst(first + 1));
  if (first !== null) await showLine(first);
}

export function closeComparison(): void {
  comparisonStore.setState({ comparison: null });
  if (panelsStore.getState().bottom.tab === 'compare') panelsStore.getState().offerBottom('timeline');
}

/** A line of the comparison; null until it has loaded. */
export function lineOf({ pages }: ShownComparison, line: number): ComparedStep | null {
  return pages.get(Math.floor(line / pageLines))?.[line % pageLines] ?? null;
}

/** Loads the missing lines between two lines. */
export function needLines(first: number, last: number): void {
  const { comparison } = comparisonStore.getState();
  if (!comparison?.whole) return;
  for (let page = Math.floor(first / pageLines); page <= Math.floor(last / pageLines); page++) {
    if (!comparison.pages.has(page)) void readPage(comparison, page);
  }
}

/** Selects a line and loads its differences. */
export async function showLine(line: number): Promise<void> {
  const { comparison } = comparisonStore.getState();
  if (!comparison) return;
  change(comparison, () => ({ line, differences: null }));
  if (!lineOf(comparison, line)) await readPage(comparison, Math.floor(line / pageLines));
  const now = comparisonStore.getState().comparison;
  const step = now && lineOf(now, line);
  if (!step) return;
  const { run_id, other_run_id } = comparison;
  try {
    const differences = await studio.runs.compareStep({ run_id, seq: step.seq, other_run_id, other_seq: step.other_seq });
    change(comparison, (shown) => (shown.line === line ? { differences } : {}));
  } catch (thrown) {
    change(comparison, (shown) => (shown.line === line ? { failure: failureOf(thrown) } : {}));
  }
}
