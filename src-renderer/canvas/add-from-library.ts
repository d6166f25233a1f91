import { addNode } from '#renderer/editing/add-node.ts';
import { freePlace } from '#renderer/layout/carry-positions.ts';
import { carryOut, currentFlow } from '#renderer/stores/editor.ts';
import { revealNode, selectionStore } from '#renderer/stores/selection.ts';
import type { DragPayload } from './drag-payload.ts';
import type { QuickAddRequest } from './quick-add-store.ts';

/** Height of a card with two ports and a detail, as most are. */
const usualHeight = 112;

/**
 * Adds what was chosen in the library or the quick-add menu to the flow shown, at the next free place below `at`, and
 * goes there.
 */
export function addFromLibrary(payload: DragPayload, request: Pick<QuickAddRequest, 'at' | 'consumes' | 'produces'>): void {
  const flow = currentFlow();
  if (!flow?.readable) return;
  const at = freePlace(request.at, usualHeight, flow.view, flow.positions);
  if (!carryOut(addNode(flow.readable, { ...payload, ...request, at }))) return;
  const added = selectionStore.getState().nodes.at(-1);
  if (added) revealNode(added, true);
}
