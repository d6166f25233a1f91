import { describe, expect, it } from 'vitest';
import type { TimelineEntry, TimelinePage } from '#shared/contract/runs.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunView } from './run-fold.ts';
import { createTimelinePages, pageRows, timelineEntry } from './timeline-pages.ts';

const entry = (seq: number): TimelineEntry => ({
  seq,
  type: 'transition',
  node: `N${seq}`,
  kind: 'work',
  consumed: [],
  produced: [],
  started_at: 0,
  duration_ms: 0,
  tokens: 0,
  note: '',
});
const entries = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => entry(from + index));

/** A run of `seq` records of which the view contains those from `first` on. */
const viewOf = (seq: number, first: number, run_id = 'r') => ({ run_id, seq, timeline: entries(first, seq) }) as unknown as RunView;

/** A journal of any number of records, whose answers the test lets through one by one. */
function slowJournal(total: number) {
  const asked: number[] = [];
  const waiting: (() => void)[] = [];
  let broken = false;
  const store = createTimelinePages({
    timeline: (async ({ from, limit = 0 }: { from: number; limit?: number }): Promise<TimelinePage> => {
      asked.push(from);
      await new Promise<void>((resolve) => waiting.push(resolve));
      if (broken) throw new FlowError('NotFound', 'gone');
      return { total, from, entries: entries(from, Math.min(total, from + limit - 1)) };
    }) as never,
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return {
    asked,
    store,
    need: (view: RunView, first: number, last: number) => store.getState().need(view, first, last),
    row: (view: RunView, seq: number) => timelineEntry(view, store.getState(), seq)?.node ?? null,
    async answer(fail = false) {
      broken = fail;
      waiting.shift()?.();
      await settle();
    },
  };
}

describe('the timeline by pages', () => {
  it('loads nothing that came with the run', () => {
    const { need, asked, row } = slowJournal(1000);
    const view = viewOf(1000, 501);
    need(view, 900, 1000);
    expect(asked).toEqual([]);
    expect(row(view, 501)).toBe('N501');
    expect(row(view, 500)).toBeNull();
  });

  it('loads the pages of the visible rows, each once', async () => {
    const { need, asked, row, answer } = slowJournal(100_000);
    const view = viewOf(100_000, 99_501);
    need(view, 41_190, 41_220);
    await answer();
    await answer();
    expect(asked).toEqual([41_001, 41_201]);
    expect(row(view, 41_190)).toBe('N41190');
    expect(row(view, 41_220)).toBe('N41220');
    need(view, 41_195, 41_225);
    expect(asked).toHaveLength(2);
  });

  it('skips outdated requests made while a page loads', async () => {
    const { need, asked, row, answer } = slowJournal(100_000);
    const view = viewOf(100_000, 99_501);
    need(view, 1, 20);
    for (const first of [5001, 10_001, 50_001]) need(view, first, first + 20);
    await answer();
    await answer();
    expect(asked).toEqual([1, 50_001]);
    expect(row(view, 50_010)).toBe('N50010');
  });

  it('reloads a page that ends before the requested rows', async () => {
    const { need, asked, row, answer } = slowJournal(300);
    need(viewOf(250, 250), 201, 249);
    await answer();
    const grown = viewOf(300, 300);
    expect(row(grown, 260)).toBe('N260');
    need(grown, 240, 260);
    expect(asked).toEqual([201]);
    const partial = viewOf(390, 390);
    need(partial, 301, 320);
    await answer();
    expect(asked).toEqual([201, 201]);
  });

  it('drops the rows of another run', async () => {
    const { need, row, answer } = slowJournal(1000);
    const one = viewOf(1000, 901);
    const other = viewOf(1000, 901, 'other');
    need(one, 1, 20);
    need(other, 1, 20);
    await answer();
    expect(row(one, 5)).toBeNull();
    await answer();
    expect(row(other, 5)).toBe('N5');
  });

  it('reports why rows could not load, and retries on the next request', async () => {
    const { need, row, store, answer } = slowJournal(1000);
    const view = viewOf(1000, 901);
    need(view, 1, 20);
    await answer(true);
    expect(store.getState().failure?.message).toContain('gone');
    need(view, 1, 20);
    await answer();
    expect(row(view, 1)).toBe('N1');
    expect(store.getState().failure).toBeNull();
  });

  it('keeps a limited number of pages', async () => {
    const { need, store, answer } = slowJournal(100_000);
    const view = viewOf(100_000, 99_999);
    for (let page = 0; page < 70; page++) {
      need(view, page * pageRows + 1, page * pageRows + 10);
      await answer();
    }
    expect(store.getState().pages.size).toBe(60);
  });
});
