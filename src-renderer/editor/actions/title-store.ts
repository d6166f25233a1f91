import { createStore } from 'zustand/vanilla';
import { carryOut, currentFlow } from '#renderer/document/flows/editor.ts';
import { revealNode, selectionStore } from '#renderer/document/flows/selection.ts';
import { texts } from './texts.ts';

/** Key of the node whose title is edited on its card, or null. */
export const titleStore = createStore<{ readonly key: string | null }>()(() => ({ key: null }));

/** Edits a node's title in place, once its card is in view. Returns false if the node does not exist. */
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

/** Applies a new title (null keeps the old one, empty text removes it) and returns the focus to the card. */
export function finishTitle(title: string | null): void {
  const { key } = titleStore.getState();
  titleStore.setState({ key: null });
  const node = currentFlow()?.view.nodes.find((candidate) => candidate.key === key);
  if (!node || key === null) return;
  const path = ['nodes', node.index, 'title'] as const;
  const text = title?.trim();
  if (text !== undefined && text !== node.title) {
    carryOut({
      ok: true,
      label: texts.editTitle,
      edits: [text === '' ? { type: 'remove', path } : { type: 'set', path, value: text }],
    });
  }
}
