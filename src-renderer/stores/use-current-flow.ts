import { useStore } from 'zustand';
import type { OpenFlow } from '#renderer/editing/open-flow.ts';
import { currentFlow, editorStore } from './editor.ts';

/** Subscribes to a part of the flow shown; `select` is given null while none is. */
export function useCurrentFlow<Selected>(select: (flow: OpenFlow | null) => Selected): Selected {
  return useStore(editorStore, (state) => select(currentFlow(state)));
}
