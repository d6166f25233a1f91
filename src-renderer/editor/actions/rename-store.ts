import { createStore } from 'zustand/vanilla';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { menuSubject } from '#renderer/shell/menu-store.ts';
import { texts } from './texts.ts';

/** The state that the dialog renames, or null while it is closed. */
export const renameStore = createStore<{ readonly state: string | null }>()(() => ({ state: null }));

/** Opens the dialog that renames a state. */
export function startRename(state: string): void {
  renameStore.setState({ state });
}

/** Renames the input state of a node (the first one of a join). Returns false if the node has no input. */
export function renameStateOf(key: string): boolean {
  const node = currentFlow()?.view.nodes.find((candidate) => candidate.key === key);
  const state = node?.inputs[0]?.state;
  if (state === undefined) return false;
  startRename(state);
  return true;
}

/** Renames the state of the selected wire, or the input state of the selected node. */
export function renameSelectedState(): void {
  const subject = menuSubject().state;
  const { nodes, wires } = selectionStore.getState();
  const wire = currentFlow()?.view.wires.find(({ key }) => key === wires.at(-1));
  const node = nodes.at(-1);
  if (subject !== undefined) startRename(subject);
  else if (wire) startRename(wire.state);
  else if (node === undefined || !renameStateOf(node)) announce(texts.rename.select);
}
