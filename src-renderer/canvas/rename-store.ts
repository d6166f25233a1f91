import { createStore } from 'zustand/vanilla';
import { announce } from '#renderer/stores/announcer.ts';
import { currentFlow } from '#renderer/stores/editor.ts';
import { selectionStore } from '#renderer/stores/selection.ts';

/** The state that is being renamed in the dialog; null while none is. */
export const renameStore = createStore<{ readonly state: string | null }>()(() => ({ state: null }));

/** Opens the dialog that renames a state. */
export function startRename(state: string): void {
  renameStore.setState({ state });
}

/** Renames the state that a node consumes (of a join the first). False when it has none. */
export function renameStateOf(key: string): boolean {
  const node = currentFlow()?.view.nodes.find((candidate) => candidate.key === key);
  const state = node?.inputs[0]?.state;
  if (state === undefined) return false;
  startRename(state);
  return true;
}

/** Renames the state on the selected wire, or the one that the selected node consumes. */
export function renameSelectedState(): void {
  const { nodes, wires } = selectionStore.getState();
  const wire = currentFlow()?.view.wires.find(({ key }) => key === wires.at(-1));
  const node = nodes.at(-1);
  if (wire) startRename(wire.state);
  else if (node === undefined || !renameStateOf(node)) announce('Select a node or a wire');
}
