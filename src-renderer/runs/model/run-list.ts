import { createStore, type StoreApi } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { follow } from '#renderer/api/follow.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { RunsApi } from './run-session.ts';

export interface RunListState {
  /** Runs of the open folder, the last changed first. */
  readonly runs: readonly RunSummary[];
  readonly loaded: boolean;
  readonly failure: TransferableError | null;
  /** Loads the list and follows it; call it when a folder was opened. */
  load(): void;
  remove(run_id: string): Promise<void>;
}

/** A question to the user, with its run. */
export interface Waiting {
  readonly run: RunSummary;
  readonly suspension: RunSummary['suspensions'][number];
}

/**
 * All questions, the oldest first. Of several questions of one run, only the first can be answered now. A run that was continued with its edited flow asks
 * no more: its question is the one of the run that continues it.
 */
export function waitingOf(runs: readonly RunSummary[]): readonly Waiting[] {
  const continued = new Set(runs.flatMap(({ forked_from: from }) => (from?.continues ? [from.run_id] : [])));
  return runs
    .flatMap((run) => {
      const asks = run.status === 'suspended' && !run.read_only && !continued.has(run.run_id);
      const suspension = asks ? run.suspensions[0] : undefined;
      return suspension ? [{ run, suspension }] : [];
    })
    .sort((a, b) => a.suspension.since - b.suspension.since);
}

/** The list with one summary added or replaced; an older summary is ignored. */
export function withSummary(runs: readonly RunSummary[], summary: RunSummary): readonly RunSummary[] {
  const listed = runs.find(({ run_id }) => run_id === summary.run_id);
  if (listed && (listed.updated_at > summary.updated_at || (listed.updated_at === summary.updated_at && listed.seq > summary.seq)))
    return runs;
  return [summary, ...runs.filter(({ run_id }) => run_id !== summary.run_id)].sort((a, b) => b.updated_at - a.updated_at);
}

/** The runs of the open folder, kept current by the stream of summaries. `onSummary` receives each one. */
export function createRunList(runs: RunsApi, onSummary: (summary: RunSummary) => void): StoreApi<RunListState> {
  let unfollow = () => {};

  return createStore<RunListState>()((set, get) => {
    /** Changes before the stream was open are in the list, which loads then; later changes come by the stream. */
    const subscribe = async (signal: AbortSignal) => {
      const summaries = await runs.watch(undefined, { signal });
      const listed = await runs.list({});
      if (!signal.aborted) {
        set({ runs: listed, loaded: true, failure: null });
        listed.forEach(onSummary);
      }
      return summaries;
    };

    return {
      runs: [],
      loaded: false,
      failure: null,
      load: () => {
        unfollow();
        set({ runs: [], loaded: false, failure: null });
        unfollow = follow({
          subscribe,
          onItem: (summary) => {
            set({ runs: withSummary(get().runs, summary) });
            onSummary(summary);
          },
          onBreak: (thrown) => {
            set({ failure: failureOf(thrown) });
            return true;
          },
        });
      },
      remove: async (run_id) => {
        try {
          await runs.remove({ run_id });
          set({ runs: get().runs.filter((run) => run.run_id !== run_id) });
        } catch (thrown) {
          set({ failure: failureOf(thrown) });
        }
      },
    };
  });
}
