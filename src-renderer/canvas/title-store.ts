import { createStore } from 'zustand/vanilla';
import { carryOut, currentFlow } from '#renderer/stores/editor.ts';
import { revealNode, selectionStore } from '#renderer/stores/selection.ts';

/** Key of the node whose title is edited on its card; null while none is. */
export const titleStore = createStore<{ readonly key: string | null }>()(() => ({ key: null }));

/** Edits a node's title in place, once its card is in sight. False when there is no such node. */
export function editTitle(key: string): boolean {
  const flow = currentFlow();
  if (!flow?.view.nodes.some((node) => node.key === key)) return false;
  revealNode(key);
  titleStore.setState({ key });
  return true;
}

/** Edits the title of the node selected last. */
export function editSelectedTitle(): void {
  const key = selectionStore.getState().nodes.at(-1);
  if (key !== undefined) editTitle(key);
}

/** Takes a new title over, or leaves the old one where `title` is null, and gives the keyboard back to the card. An empty title is taken out. */
export function finishTitle(title: string | null): void {
  const { key } = titleStore.getState();
  titleStore.setState({ key: null });
  const node = currentFlow()?.view.nodes.find((candidate) => candidate.key === key);
  if (!node || key === null) return;
  const path = ['nodes', node.index, 'title'] as const;
  const text = title?.trim();
  if (text !== undefined && text !== node.title) {
    carryOut({ ok: true, label: 'Edit title', edits: [text === '' ? { type: 'remove', path } : { type: 'set', path, value: text }] });
  }
}
