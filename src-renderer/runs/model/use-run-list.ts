import { useStore } from 'zustand';
import type { RunListState } from './run-list.ts';
import { runListStore } from './run-stores.ts';

/** Subscribes to a part of the list of runs. */
export function useRunList<Selected>(select: (state: RunListState) => Selected): Selected {
  return useStore(runListStore, select);
}
