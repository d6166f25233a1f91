import { useStore } from 'zustand';
import { type SelectionState, selectionStore } from './selection.ts';

/** Subscribes to a part of the selection. */
export function useSelection<Selected>(select: (state: SelectionState) => Selected): Selected {
  return useStore(selectionStore, select);
}
