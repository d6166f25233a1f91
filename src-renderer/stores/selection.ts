import { createStore } from 'zustand/vanilla';

export interface SelectionState {
  /** Keys of the selected nodes, the last selected one last. */
  readonly nodes: readonly string[];
  /** Keys of the selected wires. */
  readonly wires: readonly string[];
  /** A node that the canvas is to bring into sight, with a number that grows at each request. */
  readonly reveal: { readonly key: string; readonly focus: boolean; readonly count: number } | null;
}

/** What is selected in the flow shown. */
export const selectionStore = createStore<SelectionState>()(() => ({ nodes: [], wires: [], reveal: null }));

/** Selects exactly these. */
export function select(nodes: readonly string[], wires: readonly string[] = []): void {
  const before = selectionStore.getState();
  if (sameItems(before.nodes, nodes) && sameItems(before.wires, wires)) return;
  selectionStore.setState({ nodes, wires });
}

/** As at the start: another flow is shown, in which a node may be called the same as one that was asked for in the flow before. */
export function selectNothingYet(): void {
  selectionStore.setState({ nodes: [], wires: [], reveal: null });
}

/** Selects a node and brings it into sight on the canvas; with `focus`, the keyboard goes there too. */
export function revealNode(key: string, focus = false): void {
  selectionStore.setState((state) => ({ nodes: [key], wires: [], reveal: { key, focus, count: (state.reveal?.count ?? 0) + 1 } }));
}

/** Brings a node into sight on the canvas and leaves selection and focus alone. */
export function bringIntoSight(key: string): void {
  selectionStore.setState((state) => ({ reveal: { key, focus: false, count: (state.reveal?.count ?? 0) + 1 } }));
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
