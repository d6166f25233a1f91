import { createStore, type StoreApi } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import type { TimelineEntry } from '#shared/contract/runs.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { RunView } from './run-fold.ts';
import type { RunsApi } from './run-session.ts';

/** Rows of one page. Page `n` starts with record `n * pageRows + 1`. */
export const pageRows = 200;
/** The most pages kept: the last used ones. */
const keptPages = 60;

export interface TimelinePagesState {
  readonly run_id: string | null;
  readonly pages: ReadonlyMap<number, readonly TimelineEntry[]>;
  readonly failure: TransferableError | null;
  /** Loads the missing rows of these records. Of requests while a page loads, only the last counts. */
  need(view: RunView, first: number, last: number): void;
}

function pageOf(seq: number): number {
  return Math.floor((seq - 1) / pageRows);
}

/** The row of a record, from the run's last rows or a loaded page; null until it has loaded. */
export function timelineEntry(view: RunView, { run_id, pages }: TimelinePagesState, seq: number): TimelineEntry | null {
  const first = view.timeline[0]?.seq ?? view.seq + 1;
  if (seq >= first) return view.timeline[seq - first] ?? null;
  if (run_id !== view.run_id) return null;
  return pages.get(pageOf(seq))?.[(seq - 1) % pageRows] ?? null;
}

/** Earlier rows of the shown run's timeline, loaded as they become visible. */
export function createTimelinePages(runs: Pick<RunsApi, 'timeline'>): StoreApi<TimelinePagesState> {
  let wanted: readonly number[] = [];
  let reading = false;

  return createStore<TimelinePagesState>()((set, get) => {
    const readWanted = async (run_id: string) => {
      reading = true;
      while (wanted.length > 0 && get().run_id === run_id) {
        const page = wanted[0] as number;
        wanted = wanted.slice(1);
        try {
          const { entries } = await runs.timeline({ run_id, from: page * pageRows + 1, limit: pageRows });
          if (get().run_id !== run_id) break;
          const pages = new Map(get().pages);
          pages.delete(page);
          pages.set(page, entries);
          if (pages.size > keptPages) pages.delete(pages.keys().next().value as number);
          set({ pages, failure: null });
        } catch (thrown) {
          if (get().run_id === run_id) set({ failure: failureOf(thrown) });
          wanted = [];
        }
      }
      reading = false;
      // Another run is shown since the page was requested.
      const now = get().run_id;
      if (wanted.length > 0 && now !== null) void readWanted(now);
    };

    return {
      run_id: null,
      pages: new Map(),
      failure: null,
      need: (view, first, last) => {
        if (get().run_id !== view.run_id) {
          set({ run_id: view.run_id, pages: new Map(), failure: null });
          wanted = [];
        }
        const state = get();
        const missing = new Set<number>();
        for (let page = pageOf(Math.max(1, first)); page <= pageOf(Math.max(1, last)); page++) {
          const from = Math.max(page * pageRows + 1, first);
          const to = Math.min((page + 1) * pageRows, last, view.seq);
          if (from <= to && (!timelineEntry(view, state, from) || !timelineEntry(view, state, to))) missing.add(page);
        }
        wanted = [...missing];
        if (wanted.length > 0 && !reading) void readWanted(view.run_id);
      },
    };
  });
}
