import type { Viewport } from '@xyflow/react';
import { card, cardHeight } from '#renderer/graph/card-geometry.ts';
import type { NodeView } from '#renderer/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';

const margin = 24;
/** Cards are not drawn larger than they are, nor so small that nothing can be read; then the beginning is shown. */
const zoomRange = { smallest: 0.4, largest: 1 };

/** Where the canvas must stand to show all of these nodes in a frame of this size, in the middle of it. */
export function viewportFor(
  nodes: readonly NodeView[],
  positions: Layout['nodes'],
  width: number,
  height: number,
  smallest: number = zoomRange.smallest,
): Viewport {
  const boxes = nodes.flatMap((node) => {
    const position = positions[node.key];
    return position ? [{ ...position, right: position.x + card.width, bottom: position.y + cardHeight(node) }] : [];
  });
  if (boxes.length === 0) return { x: 0, y: 0, zoom: 1 };
  const left = Math.min(...boxes.map((box) => box.x));
  const top = Math.min(...boxes.map((box) => box.y));
  const wide = Math.max(...boxes.map((box) => box.right)) - left;
  const high = Math.max(...boxes.map((box) => box.bottom)) - top;
  const fitting = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high);
  const zoom = Math.min(zoomRange.largest, Math.max(smallest, fitting));
  const x = wide * zoom > width ? margin : (width - wide * zoom) / 2;
  // What is too high begins at the height of its leftmost node, which is where the flow begins.
  const first = boxes.find((box) => box.x === left);
  const y = high * zoom > height ? height / 2 - ((first?.y ?? top) - top) * zoom : (height - high * zoom) / 2;
  return { x: x - left * zoom, y: y - top * zoom, zoom };
}
