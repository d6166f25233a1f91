import { panelsStore } from '#renderer/stores/panels.ts';
import { select } from '#renderer/stores/selection.ts';

/** Marks what `openInInspector` gives the keyboard to. */
export const inspectorMark = { 'data-node-inspector': true };

/** Shows a node in the inspector and gives its first field the keyboard; Escape there leads back to its card. */
export function openInInspector(key: string): void {
  select([key]);
  panelsStore.getState().showRight('node');
  // Drawn by then.
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[data-node-inspector] :is(input[type="text"], input:not([type]), textarea)')?.focus(),
  );
}
