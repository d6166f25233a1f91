import type { Viewport } from '@xyflow/react';
import { card, cardHeight } from '#renderer/document/graph/card-geometry.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';

/** Below this zoom a card is not readable, so being visible is not enough. */
const smallestReadable = 0.35;
const closer = 0.8;
const margin = 24;

type Point = { readonly x: number; readonly y: number };

/**
 * The viewport that brings a card into view by the shortest movement, zoomed in if the card was not readable. Null if
 * no movement is needed.
 */
export function viewportShowing(node: NodeView, place: Point, viewport: Viewport, width: number, height: number): Viewport | null {
  const { x, y, zoom } = viewport;
  if (zoom < smallestReadable) {
    const middle = { x: place.x + card.width / 2, y: place.y + cardHeight(node) / 2 };
    return { x: width / 2 - middle.x * closer, y: height / 2 - middle.y * closer, zoom: closer };
  }
  const right = shift(place.x * zoom + x, card.width * zoom, width);
  const down = shift(place.y * zoom + y, cardHeight(node) * zoom, height);
  return right === 0 && down === 0 ? null : { x: x + right, y: y + down, zoom };
}

/** The smallest movement that brings an interval into a frame of this size. */
function shift(start: number, length: number, frame: number): number {
  if (start < margin) return margin - start;
  return Math.min(0, frame - margin - (start + length));
}
