import { select } from '#renderer/document/flows/selection.ts';
import { panelsStore } from '#renderer/shell/panels.ts';

/** Marks the element that `openInInspector` focuses. */
export const inspectorMark = { 'data-node-inspector': true };

/** Shows a node in the inspector and focuses its first field. Escape there returns to its card. */
export function openInInspector(key: string): void {
  select([key]);
  panelsStore.getState().showRight('node');
  // The form is rendered by the next frame.
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[data-node-inspector] :is(input[type="text"], input:not([type]), textarea)')?.focus(),
  );
}
