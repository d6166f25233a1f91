import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { announce } from '#renderer/shell/announcer.ts';
import type { FlowChoice, ReplayReport } from '#shared/contract/time-travel.ts';
import type { TransferableError } from '#shared/run/error.ts';
import { replayVerdict } from './replay-verdict.ts';

/** A replay of a run, running or finished. */
export interface Replay {
  readonly run_id: string;
  readonly flow: FlowChoice;
  /** Null while it runs, and when it failed. */
  readonly report: ReplayReport | null;
  readonly failure: TransferableError | null;
}

export const replayStore = createStore<{ readonly replay: Replay | null }>()(() => ({ replay: null }));

/** Replays a run with its recorded results; nothing outside happens. */
export async function replayRun(run_id: string, flow: FlowChoice): Promise<void> {
  const replay: Replay = { run_id, flow, report: null, failure: null };
  replayStore.setState({ replay });
  // Only the last replay is shown.
  const settle = (change: Partial<Replay>) => {
    if (replayStore.getState().replay === replay) replayStore.setState({ replay: { ...replay, ...change } });
  };
  try {
    const report = await studio.runs.replay({ run_id, flow });
    announce(replayVerdict(report));
    settle({ report });
  } catch (thrown) {
    settle({ failure: failureOf(thrown) });
  }
}

export function closeReplay(): void {
  replayStore.setState({ replay: null });
}
