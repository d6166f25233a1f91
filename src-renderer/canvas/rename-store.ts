import { createStore } from 'zustand/vanilla';
import { currentFlow } from '#renderer/stores/editor.ts';

/** The state that is being renamed in the dialog; null while none is. */
export const renameStore = createStore<{ readonly state: string | null }>()(() => ({ state: null }));

/** Opens the dialog that renames a state. */
export function startRename(state: string): void {
  renameStore.setState({ state });
}

/** Renames the state that a node produces, of an entry or a loop the one that it consumes. False when it has none. */
export function renameSelected(key: string): boolean {
  const node = currentFlow()?.view.nodes.find((candidate) => candidate.key === key);
  const state = node?.inputs[0]?.state;
  if (state === undefined) return false;
  startRename(state);
  return true;
}
