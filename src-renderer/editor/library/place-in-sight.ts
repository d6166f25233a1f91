import { currentFlow } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import { card } from '#renderer/document/graph/card-geometry.ts';
import { openOutputOf } from '#renderer/document/graph/open-output.ts';
import { addFromLibrary } from '#renderer/editor/actions/add-from-library.ts';
import type { DragPayload } from '#renderer/editor/entries/drag-payload.ts';
import { panelsStore } from '#renderer/shell/panels.ts';

/** Adds a library entry without the pointer: after the selected node if it has an open output, otherwise below all nodes. */
export function placeInSight(payload: DragPayload): void {
  const flow = currentFlow();
  if (!flow) {
    panelsStore.getState().showLeft('flows');
    return;
  }
  const key = selectionStore.getState().nodes.at(-1);
  const node = flow.view.nodes.find((candidate) => candidate.key === key);
  const position = key ? flow.positions[key] : undefined;
  const consumes = openOutputOf(node);
  const lowest = Object.values(flow.positions).reduce((low, { y }) => Math.max(low, y + 140), 0);
  const at = position ? { x: position.x + card.width + 96, y: position.y } : { x: 0, y: lowest };
  addFromLibrary(payload, { at, ...(consumes && { consumes }) });
}
