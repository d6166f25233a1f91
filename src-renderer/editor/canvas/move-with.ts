import type { Layout } from '#shared/contract/flows.ts';
import type { CanvasNode } from './canvas-nodes.ts';

type Moved = Readonly<Record<string, { readonly x: number; readonly y: number }>>;

/**
 * Where cards are after a drag of `node`, which took along `dragged`: the mounted cards of the selection. Other selected cards, drawn on
 * the surface, move by the same distance.
 */
export function moveWith(node: CanvasNode, dragged: readonly CanvasNode[], selected: readonly string[], positions: Layout['nodes']): Moved {
  const rounded = ({ x, y }: { x: number; y: number }) => ({ x: Math.round(x), y: Math.round(y) });
  const moved = Object.fromEntries(dragged.map(({ id, position }) => [id, rounded(position)]));
  const from = positions[node.id];
  if (!from || !selected.includes(node.id)) return moved;
  for (const key of selected) {
    const place = positions[key];
    if (place) moved[key] ??= rounded({ x: place.x + node.position.x - from.x, y: place.y + node.position.y - from.y });
  }
  return moved;
}
