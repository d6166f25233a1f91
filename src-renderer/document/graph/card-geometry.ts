import type { NodeView } from './graph-view.ts';

/** Sizes of a node's card in pixels at 100 %. The stylesheet of the card follows them. */
export const card = { width: 204, header: 36, port: 22, detail: 26, padding: 6, handle: 9 } as const;

/** Sizes of a gate: a helper node of an imported workflow, of which only its rule is shown. */
export const gate = { width: 128, padding: 3 } as const;

type Sized = Pick<NodeView, 'inputs' | 'outputs' | 'detail'>;

/** Whether a node is drawn as a gate. */
export function isGate({ detail }: Pick<NodeView, 'detail'>): boolean {
  return detail?.type === 'gate';
}

/** Width of a node's card. */
export function cardWidth(node: Pick<NodeView, 'detail'>): number {
  return isGate(node) ? gate.width : card.width;
}

/** Height of a node's card, known without drawing it. */
export function cardHeight(node: Sized): number {
  const rows = Math.max(node.inputs.length, node.outputs.length, 1);
  if (isGate(node)) return rows * card.port + 2 * gate.padding;
  return card.header + rows * card.port + card.padding + (node.detail ? card.detail : 0);
}

/** Middle of a port's row, from the top of its node's card. */
export function portOffset(index: number, node?: Pick<NodeView, 'detail'>): number {
  return (node && isGate(node) ? gate.padding : card.header) + index * card.port + card.port / 2;
}
