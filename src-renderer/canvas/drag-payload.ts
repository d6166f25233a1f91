import { type NodeKind, nodeKinds } from '#shared/flow/document.ts';

/** What is dragged from the library onto the canvas. */
export interface DragPayload {
  readonly kind: NodeKind;
  /** Name of a tool whose call the node makes. */
  readonly tool?: string;
  /** How a `work` node does its work. */
  readonly body?: 'run' | 'expr';
  /** Path of the flow file that a `flow` or `each` node runs, relative to the document's folder. */
  readonly file?: string;
  /** True for a flow of which the user has not said yet whether it runs once or for each item. */
  readonly undecided?: boolean;
}

const mediaType = 'application/x-pravah-node';

/** Puts what is dragged on the drag's own clipboard. */
export function startDrag(transfer: DataTransfer, payload: DragPayload): void {
  transfer.setData(mediaType, JSON.stringify(payload));
  transfer.effectAllowed = 'copy';
}

/** True while something of ours is dragged over. */
export function isOurDrag(transfer: DataTransfer): boolean {
  return transfer.types.includes(mediaType);
}

/** What was dropped, or null when it came from elsewhere. */
export function dropped(transfer: DataTransfer): DragPayload | null {
  try {
    const payload = JSON.parse(transfer.getData(mediaType)) as DragPayload;
    return nodeKinds.includes(payload.kind) ? payload : null;
  } catch {
    return null;
  }
}
