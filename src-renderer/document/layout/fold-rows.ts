import { card, cardHeight, cardWidth } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';

type Positions = Layout['nodes'];

/**
 * A canvas between open panels in a window of 1440 by 900. Fixed, so that the layout of a graph is the same everywhere.
 */
const frame = { width: 812, height: 464 };

/** Gap between two rows, with room for the wires to the next row and back. */
const rowGap = 76;

/** Distance of two cards in a row of a layout from top to bottom, with room for the wires between them. */
const stackStep = card.width + 72;

/** At this zoom or above, a flow needs no rows. */
const readableZoom = 0.8;

/**
 * Folds a left-to-right layout into rows, in as many as show the whole flow at the highest zoom. Columns stay together
 * and keep their order. A layout that is readable in one row is not changed, unless `always` is set. ELK can wrap layers itself, but considers
 * neither the gaps between rows nor the heights of cards (8 cards became 4 rows of 2), and is too slow for large flows,
 * which use the same rule here.
 */
export function foldRows(view: GraphView, positions: Positions, always = false): Positions {
  const columns = columnsOf(view, positions);
  let best = { zoom: zoomOf(view, positions), positions };
  if (best.zoom >= (always ? 1 : readableZoom)) return positions;
  for (let length = columns.length - 1; length >= 2; length--) {
    // Avoid a last row with only a card or two.
    const even = Math.ceil(columns.length / Math.ceil(columns.length / length));
    if (even !== length) continue;
    const folded = inRows(columns, positions, length);
    const zoom = zoomOf(view, folded);
    if (zoom > best.zoom * 1.05) best = { zoom, positions: folded };
    if (zoom < best.zoom / 2) break;
  }
  return best.positions;
}

/** Turns a left-to-right layout into one from top to bottom: each column becomes a row, centered below the one before. */
export function stackColumns(view: GraphView, positions: Positions): Positions {
  const placed: Record<string, { x: number; y: number }> = {};
  let top = 0;
  for (const column of columnsOf(view, positions)) {
    const row = [...column].sort((one, other) => (positions[one.key]?.y ?? 0) - (positions[other.key]?.y ?? 0));
    const left = -Math.round((row.length * stackStep - (stackStep - card.width)) / 8) * 4;
    for (const [index, node] of row.entries()) placed[node.key] = { x: left + index * stackStep, y: top };
    top = Math.ceil((top + Math.max(...row.map(cardHeight)) + rowGap) / 4) * 4;
  }
  return placed;
}

function columnsOf(view: GraphView, positions: Positions): NodeView[][] {
  const byX = new Map<number, NodeView[]>();
  for (const node of view.nodes) {
    const x = positions[node.key]?.x ?? 0;
    const column = byX.get(x);
    if (column) column.push(node);
    else byX.set(x, [node]);
  }
  return [...byX].sort(([one], [other]) => one - other).map(([, nodes]) => nodes);
}

function inRows(columns: readonly NodeView[][], positions: Positions, length: number): Positions {
  const placed: Record<string, { x: number; y: number }> = {};
  let top = 0;
  for (let start = 0; start < columns.length; start += length) {
    const row = columns.slice(start, start + length).flat();
    const box = boxOf(row, positions);
    for (const node of row) {
      const { x, y } = positions[node.key] ?? { x: 0, y: 0 };
      placed[node.key] = { x: x - box.left, y: y - box.top + top };
    }
    top = Math.ceil((top + box.bottom - box.top + rowGap) / 4) * 4;
  }
  return placed;
}

function zoomOf({ nodes }: GraphView, positions: Positions): number {
  const { left, right, top, bottom } = boxOf(nodes, positions);
  return Math.min(1, frame.width / (right - left), frame.height / (bottom - top));
}

function boxOf(nodes: readonly NodeView[], positions: Positions) {
  const box = {
    left: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  };
  for (const node of nodes) {
    const { x, y } = positions[node.key] ?? { x: 0, y: 0 };
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + cardWidth(node));
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y + cardHeight(node));
  }
  return box;
}
