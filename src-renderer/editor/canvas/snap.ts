import { card, cardHeight } from '#renderer/document/graph/card-geometry.ts';
import { type CardIndex, placeOf } from './card-index.ts';
import type { Box } from './map-shape.ts';

/** How near an edge must come to that of a neighbour to snap to it, in pixels of the screen. */
const reach = 6;
/** How far away a neighbour may be, in canvas pixels. */
const around = 700;

/** Where a dragged card snaps to, and the lines along which it does. */
export interface Snapped {
  readonly x: number;
  readonly y: number;
  /** The left edge of both cards, if they are in line. */
  readonly vertical: number | null;
  /** The upper edge, the middle or the lower edge of both cards. */
  readonly horizontal: number | null;
}

/** Snaps a dragged card to the edges of its neighbours: left edges (all cards have one width), and upper edges, middles or lower edges. */
export function snapped(
  key: string,
  place: { readonly x: number; readonly y: number },
  index: CardIndex,
  positions: Parameters<typeof placeOf>[1],
  zoom: number,
): Snapped {
  const { nodes } = index.view;
  const own = index.node(key);
  if (!own) return { ...place, vertical: null, horizontal: null };
  const height = cardHeight(own);
  const area: Box = { x: place.x - around, y: place.y - around, width: card.width + 2 * around, height: height + 2 * around };
  const near = index.cardsIn(area).flatMap((at) => {
    const node = nodes[at];
    return node && node.key !== key ? [{ ...placeOf(node, positions), height: cardHeight(node) }] : [];
  });
  const most = reach / zoom;
  const x = nearest(
    near.map((other) => ({ line: other.x, to: other.x, distance: Math.abs(other.x - place.x) })),
    most,
  );
  const y = nearest(
    near.flatMap((other) =>
      [0, 0.5, 1].map((part) => {
        const line = other.y + part * other.height;
        const to = line - part * height;
        return { line, to, distance: Math.abs(to - place.y) };
      }),
    ),
    most,
  );
  return { x: x?.to ?? place.x, y: y?.to ?? place.y, vertical: x?.line ?? null, horizontal: y?.line ?? null };
}

interface Edge {
  readonly line: number;
  readonly to: number;
  readonly distance: number;
}

function nearest(edges: readonly Edge[], most: number): Edge | undefined {
  return edges.filter(({ distance }) => distance <= most).sort((one, other) => one.distance - other.distance)[0];
}
