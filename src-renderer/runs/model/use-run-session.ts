import { useStore } from 'zustand';
import type { RunSessionState } from './run-session.ts';
import { runSessionStore } from './run-stores.ts';

/** Subscribes to a part of the debugging session. */
export function useRunSession<Selected>(select: (state: RunSessionState) => Selected): Selected {
  return useStore(runSessionStore, select);
}
