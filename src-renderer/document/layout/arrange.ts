import { cardHeight, cardWidth } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView } from '#renderer/document/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';

type Positions = Layout['nodes'];

/** Edges and centers that cards can be aligned to. */
export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';
export type Axis = 'horizontally' | 'vertically';

interface CardBox {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Positions that align these cards with the outermost one (`center`, `middle`: with the center of all). Contains only
 * the cards that move.
 */
export function aligned(view: GraphView, positions: Positions, keys: readonly string[], to: Alignment): Positions {
  const boxes = boxesOf(view, positions, keys);
  const { x, y, width, height } = around(boxes);
  return moved(boxes, (box) => {
    switch (to) {
      case 'left':
        return { x, y: box.y };
      case 'center':
        return { x: x + (width - box.width) / 2, y: box.y };
      case 'right':
        return { x: x + width - box.width, y: box.y };
      case 'top':
        return { x: box.x, y };
      case 'middle':
        return { x: box.x, y: y + (height - box.height) / 2 };
      case 'bottom':
        return { x: box.x, y: y + height - box.height };
    }
  });
}

/** Positions with equal gaps between these cards; the two outermost stay. Empty for fewer than three cards. */
export function distributed(view: GraphView, positions: Positions, keys: readonly string[], axis: Axis): Positions {
  const boxes = boxesOf(view, positions, keys);
  if (boxes.length < 3) return {};
  const [start, size] = axis === 'horizontally' ? (['x', 'width'] as const) : (['y', 'height'] as const);
  const sorted = [...boxes].sort((a, b) => a[start] - b[start]);
  const span = around(boxes)[size];
  const gap = (span - sorted.reduce((sum, box) => sum + box[size], 0)) / (sorted.length - 1);
  let next = sorted[0]?.[start] ?? 0;
  const starts = new Map<string, number>();
  for (const box of sorted) {
    starts.set(box.key, next);
    next += box[size] + gap;
  }
  return moved(boxes, (box) => ({ x: box.x, y: box.y, [start]: starts.get(box.key) ?? box[start] }));
}

/** The part of a view that consists of these nodes and the wires between them. */
export function partOf(view: GraphView, keys: readonly string[]): GraphView {
  const chosen = new Set(keys);
  return {
    nodes: view.nodes.filter((node) => chosen.has(node.key)),
    wires: view.wires.filter((wire) => chosen.has(wire.source) && chosen.has(wire.target)),
  };
}

/** `places`, shifted as a whole to start where these cards start now. */
export function keptInPlace(view: GraphView, positions: Positions, places: Positions): Positions {
  const keys = Object.keys(places);
  const before = around(boxesOf(view, positions, keys));
  const after = around(boxesOf(view, places, keys));
  const shift = { x: onGrid(before.x - after.x), y: onGrid(before.y - after.y) };
  return Object.fromEntries(Object.entries(places).map(([key, { x, y }]) => [key, { x: x + shift.x, y: y + shift.y }]));
}

function boxesOf(view: GraphView, positions: Positions, keys: readonly string[]): CardBox[] {
  const chosen = new Set(keys);
  return view.nodes.flatMap((node) => {
    const place = positions[node.key];
    return chosen.has(node.key) && place ? [{ key: node.key, ...place, width: cardWidth(node), height: cardHeight(node) }] : [];
  });
}

function around(boxes: readonly CardBox[]): Omit<CardBox, 'key'> {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

function moved(boxes: readonly CardBox[], to: (box: CardBox) => { readonly x: number; readonly y: number }): Positions {
  const places: Record<string, { x: number; y: number }> = {};
  for (const box of boxes) {
    const place = to(box);
    const [x, y] = [onGrid(place.x), onGrid(place.y)];
    if (x !== box.x || y !== box.y) places[box.key] = { x, y };
  }
  return places;
}

/** The canvas grid in pixels. */
function onGrid(value: number): number {
  return Math.round(value / 4) * 4;
}
