import { addNode } from '#renderer/editing/add-node.ts';
import { carryOut, currentFlow } from '#renderer/stores/editor.ts';
import type { DragPayload } from './drag-payload.ts';
import type { QuickAddRequest } from './quick-add-store.ts';

/** Adds what was chosen in the library or the quick-add menu to the flow shown. */
export function addFromLibrary(payload: DragPayload, request: Pick<QuickAddRequest, 'at' | 'consumes' | 'produces'>): void {
  const flow = currentFlow();
  if (!flow?.readable) return;
  const at = { x: Math.round(request.at.x / 4) * 4, y: Math.round(request.at.y / 4) * 4 };
  carryOut(addNode(flow.readable, { ...payload, ...request, at }));
}
