import { createStore } from 'zustand/vanilla';
import { editorStore, showFlow } from './editor.ts';
import { revealNode } from './selection.ts';

/** A flow on the way into the one that is shown, and the node of it that was gone into. */
export interface NestingStep {
  readonly path: string;
  readonly node: string;
}

/** The flows that the shown one was reached through, the outermost first; empty when it was opened by itself. */
export const nestingStore = createStore<{ readonly outer: readonly NestingStep[]; readonly inner: string | null }>()(() => ({
  outer: [],
  inner: null,
}));

/** Shows the flow that a node of the shown flow runs; the way back is remembered. */
export async function goInto(path: string, node: string): Promise<void> {
  const { current } = editorStore.getState();
  if (current === null) return;
  const before = nestingStore.getState();
  const outer = before.inner === current ? before.outer : [];
  // Known before the flow is shown, so that a run that is shown stays with it.
  nestingStore.setState({ outer: [...outer, { path: current, node }], inner: path });
  await showFlow(path);
  // A flow that cannot be opened has said so.
  if (editorStore.getState().current !== path) nestingStore.setState(before);
}

/** Goes back to a flow on the way, and to the node that was gone into; without `path` by one level. False where there is none. */
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
