import { useStore } from 'zustand';
import { type NestingStep, nestingStore } from './nesting.ts';
import { useEditor } from './use-editor.ts';

const none: readonly NestingStep[] = [];

/** The flows on the way into the one that is shown. A flow that was chosen by itself has none, until it is gone back to. */
export function useNesting(): readonly NestingStep[] {
  const current = useEditor((state) => state.current);
  return useStore(nestingStore, ({ outer, inner }) => (inner === current ? outer : none));
}
