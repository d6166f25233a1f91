import type { Viewport } from '@xyflow/react';
import { card, cardHeight } from '#renderer/document/graph/card-geometry.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import type { Box } from './map-shape.ts';

/** Below this zoom a card is not readable, so being visible is not enough. */
const smallestReadable = 0.35;
const closer = 0.8;
const margin = 24;
/** Least distance from a control that lies on the canvas. */
const distance = 8;

type Point = { readonly x: number; readonly y: number };

/** The part of the canvas that no panel lies over, in pixels from the canvas's upper left corner. */
export interface ClearPart {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** The controls that lie on the canvas, such as the map. */
  readonly controls: readonly Box[];
}

/**
 * The viewport that brings a card into the clear part by the shortest movement. Unless `keepsZoom` is set, it is zoomed
 * in if the card was not readable. Null if no movement is needed.
 */
export function viewportShowing(node: NodeView, place: Point, viewport: Viewport, part: ClearPart, keepsZoom = false): Viewport | null {
  const { x, y, zoom } = viewport;
  const { left, width, height } = part;
  if (zoom < smallestReadable && !keepsZoom) {
    const middle = { x: place.x + card.width / 2, y: place.y + cardHeight(node) / 2 };
    return { x: left + width / 2 - middle.x * closer, y: height / 2 - middle.y * closer, zoom: closer };
  }
  const box = { x: place.x * zoom + x, y: place.y * zoom + y, width: card.width * zoom, height: cardHeight(node) * zoom };
  const into = { x: shift(box.x - left, box.width, width), y: shift(box.y, box.height, height) };
  const around = beside({ ...box, x: box.x + into.x, y: box.y + into.y }, part);
  const [right, down] = [into.x + around.x, into.y + around.y];
  return right === 0 && down === 0 ? null : { x: x + right, y: y + down, zoom };
}

/** The smallest movement that brings an interval into a frame of this size. */
function shift(start: number, length: number, frame: number): number {
  if (start < margin) return margin - start;
  return Math.min(0, frame - margin - (start + length));
}

/** The smallest movement that takes a box from under the controls and leaves it in the clear part; none if there is none. */
function beside(box: Box, part: ClearPart): Point {
  const stays: Point = { x: 0, y: 0 };
  const under = part.controls.filter((control) => touch(box, control));
  if (under.length === 0) return stays;
  const moves = under.flatMap((control): Point[] => [
    { x: 0, y: control.y - distance - (box.y + box.height) },
    { x: 0, y: control.y + control.height + distance - box.y },
    { x: control.x - distance - (box.x + box.width), y: 0 },
    { x: control.x + control.width + distance - box.x, y: 0 },
  ]);
  const free = moves.filter((move) => {
    const moved = { ...box, x: box.x + move.x, y: box.y + move.y };
    const isInside = shift(moved.x - part.left, moved.width, part.width) === 0 && shift(moved.y, moved.height, part.height) === 0;
    return isInside && !part.controls.some((control) => touch(moved, control));
  });
  return free.sort((one, other) => Math.abs(one.x + one.y) - Math.abs(other.x + other.y))[0] ?? stays;
}

function touch(one: Box, other: Box): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}
