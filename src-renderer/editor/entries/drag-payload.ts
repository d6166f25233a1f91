import { type NodeKind, nodeKinds } from '#shared/flow/document.ts';
import type { JsonObject } from '#shared/json.ts';

/** What is dragged from the library onto the canvas. */
export interface DragPayload {
  readonly kind: NodeKind;
  /** Name of the tool that the node calls. */
  readonly tool?: string;
  /** Its arguments. */
  readonly with?: JsonObject;
  /** The body of a `work` node. */
  readonly body?: 'run' | 'expr';
  /** Path of the flow file that a `flow` or `each` node runs, relative to the document's folder. */
  readonly file?: string;
  /** True while the user has not chosen yet whether the flow runs once or for each item. */
  readonly undecided?: boolean;
}

const mediaType = 'application/x-pravah-node';

/** Writes the payload to the drag event. */
export function startDrag(transfer: DataTransfer, payload: DragPayload): void {
  transfer.setData(mediaType, JSON.stringify(payload));
  transfer.effectAllowed = 'copy';
}

/** True if the drag carries one of our payloads. */
export function isOurDrag(transfer: DataTransfer): boolean {
  return transfer.types.includes(mediaType);
}

/** The dropped payload, or null if the drag came from elsewhere. */
export function dropped(transfer: DataTransfer): DragPayload | null {
  try {
    const payload = JSON.parse(transfer.getData(mediaType)) as DragPayload;
    return nodeKinds.includes(payload.kind) ? payload : null;
  } catch {
    return null;
  }
}
