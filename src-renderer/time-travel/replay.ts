import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { announce } from '#renderer/stores/announcer.ts';
import type { FlowChoice, ReplayReport } from '#shared/contract/time-travel.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import { replayVerdict } from './replay-words.ts';

/** A run that is computed again, or was. */
export interface Replay {
  readonly run_id: string;
  readonly flow: FlowChoice;
  /** Null while it is under way, and when it could not be done. */
  readonly report: ReplayReport | null;
  readonly failure: TransferableError | null;
}

export const replayStore = createStore<{ readonly replay: Replay | null }>()(() => ({ replay: null }));

/** Computes a run again from what is on record; nothing outside happens. */
export async function replayRun(run_id: string, flow: FlowChoice): Promise<void> {
  const replay: Replay = { run_id, flow, report: null, failure: null };
  replayStore.setState({ replay });
  // Only the last one that was asked for is shown.
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
