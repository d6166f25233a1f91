import { createStore } from 'zustand/vanilla';

export interface SelectionState {
  /** Keys of the selected nodes, the last selected one last. */
  readonly nodes: readonly string[];
  /** Keys of the selected wires. */
  readonly wires: readonly string[];
  /** Ids of the selected notes. */
  readonly notes: readonly string[];
  /** A node to scroll into view on the canvas, with a number that grows at each request. */
  readonly reveal: { readonly key: string; readonly focus: boolean; readonly count: number } | null;
}

/** What is selected in the flow shown. */
export const selectionStore = createStore<SelectionState>()(() => ({ nodes: [], wires: [], notes: [], reveal: null }));

/** Selects exactly these. */
export function select(nodes: readonly string[], wires: readonly string[] = [], notes: readonly string[] = []): void {
  const before = selectionStore.getState();
  if (sameItems(before.nodes, nodes) && sameItems(before.wires, wires) && sameItems(before.notes, notes)) return;
  selectionStore.setState({ nodes, wires, notes });
}

/** Resets the store for another flow, which may have a node of the same name as one requested before. */
export function selectNothingYet(): void {
  selectionStore.setState({ nodes: [], wires: [], notes: [], reveal: null });
}

/** Selects a node and scrolls it into view on the canvas; with `focus`, also focuses it. */
export function revealNode(key: string, focus = false): void {
  selectionStore.setState((state) => ({
    nodes: [key],
    wires: [],
    notes: [],
    reveal: { key, focus, count: (state.reveal?.count ?? 0) + 1 },
  }));
}

/** Scrolls a node into view on the canvas without changing selection or focus. */
export function bringIntoSight(key: string): void {
  selectionStore.setState((state) => ({ reveal: { key, focus: false, count: (state.reveal?.count ?? 0) + 1 } }));
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
