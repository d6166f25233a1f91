import { useStore } from 'zustand';
import { type PanelsState, panelsStore } from './panels.ts';

/** Subscribes to a part of the panels' state. */
export function usePanels<Selected>(select: (state: PanelsState) => Selected): Selected {
  return useStore(panelsStore, select);
}
