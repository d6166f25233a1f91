import { createStore } from 'zustand/vanilla';
import type { StartPace } from '#renderer/runs/model/run-session.ts';
import type { RunSubject } from '#renderer/runs/model/run-subject.ts';
import type { Json } from '#shared/json.ts';

/** A run to start: the dialog asks for its input. */
export interface RunRequest {
  readonly flow: RunSubject;
  /** The primary button of the dialog: run, or pause before the first step. */
  readonly pace: StartPace;
  /** Proposed input. Default: the last one of the flow. */
  readonly input?: Json | undefined;
}

export const runRequestStore = createStore<{ readonly request: RunRequest | null }>()(() => ({ request: null }));

/** Opens the run dialog for a flow. */
export function requestRun(flow: RunSubject, pace: StartPace, input?: Json): void {
  runRequestStore.setState({ request: { flow, pace, input } });
}

export function closeRunRequest(): void {
  runRequestStore.setState({ request: null });
}
