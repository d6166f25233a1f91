import { createStore } from 'zustand/vanilla';
import type { StartPace } from '#renderer/stores/run-session.ts';
import type { RunSubject } from '#renderer/stores/run-subject.ts';

/** A run that somebody wants to start: the dialog asks for its input. */
export interface RunRequest {
  readonly flow: RunSubject;
  /** What the dialog offers first: to run on, or to stay before the first transition. */
  readonly pace: StartPace;
}

export const runRequestStore = createStore<{ readonly request: RunRequest | null }>()(() => ({ request: null }));

/** Opens the run dialog for a flow. */
export function requestRun(flow: RunSubject, pace: StartPace): void {
  runRequestStore.setState({ request: { flow, pace } });
}

export function closeRunRequest(): void {
  runRequestStore.setState({ request: null });
}
