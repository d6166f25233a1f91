import type { NodeView } from './graph-view.ts';

/** Sizes of a node's card in pixels at 100 %. The stylesheet of the card follows them. */
export const card = { width: 204, header: 36, port: 22, detail: 26, padding: 6, handle: 8 } as const;

/** Height of a node's card, known without drawing it. */
export function cardHeight(node: Pick<NodeView, 'inputs' | 'outputs' | 'detail'>): number {
  const rows = Math.max(node.inputs.length, node.outputs.length, 1);
  return card.header + rows * card.port + card.padding + (node.detail ? card.detail : 0);
}

/** Middle of a port's row, from the top of its card. */
export function portOffset(index: number): number {
  return card.header + index * card.port + card.port / 2;
}
