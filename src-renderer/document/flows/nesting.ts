import { createStore } from 'zustand/vanilla';
import { editorStore, showFlow } from './editor.ts';
import { revealNode } from './selection.ts';

/** A flow around the shown one, and the node that was opened in it. */
export interface NestingStep {
  readonly path: string;
  readonly node: string;
}

/** The flows around the shown one, the outermost first; empty when it was opened directly. */
export const nestingStore = createStore<{ readonly outer: readonly NestingStep[]; readonly inner: string | null }>()(() => ({
  outer: [],
  inner: null,
}));

/** Opens the flow of a node of the shown flow, and remembers the way back. */
export async function goInto(path: string, node: string): Promise<void> {
  const { current } = editorStore.getState();
  if (current === null) return;
  const before = nestingStore.getState();
  const outer = before.inner === current ? before.outer : [];
  // Set before the flow is shown, so that the shown run stays.
  nestingStore.setState({ outer: [...outer, { path: current, node }], inner: path });
  await showFlow(path);
  // A failure to open was already reported.
  if (editorStore.getState().current !== path) nestingStore.setState(before);
}

/** Goes back to an outer flow, and to the node that was opened in it; without `path`, by one level. False if the shown flow has no outer flow. */
export async function goOut(path?: string): Promise<boolean> {
  const { outer, inner } = nestingStore.getState();
  if (inner === null || inner !== editorStore.getState().current) return false;
  const level = path === undefined ? outer.length - 1 : outer.findIndex((step) => step.path === path);
  const target = outer[level];
  if (!target) return false;
  nestingStore.setState({ outer: outer.slice(0, level), inner: level === 0 ? null : target.path });
  await showFlow(target.path);
  if (editorStore.getState().current !== target.path) {
    nestingStore.setState({ outer, inner });
    return false;
  }
  revealNode(target.node, true);
  return true;
}
