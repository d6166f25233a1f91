import { useStore } from 'zustand';
import { type NestingStep, nestingStore } from './nesting.ts';
import { useEditor } from './use-editor.ts';

const none: readonly NestingStep[] = [];

/** The flows around the shown one. A flow that was opened directly has none. */
export function useNesting(): readonly NestingStep[] {
  const current = useEditor((state) => state.current);
  return useStore(nestingStore, ({ outer, inner }) => (inner === current ? outer : none));
}
