import { cardHeight, cardWidth } from '#renderer/document/graph/card-geometry.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';

const margin = 24;
/** Margin at both sides, with room for the wires that run around the cards of a folded flow. */
const sides = 36;
/** Margin for the controls at the top of the canvas and, if it is tall enough, at the bottom. */
const bars = { top: 52, bottom: 48, bottomFrom: 320 } as const;
/** Maximum zoom. */
const largest = 1;
/** A flow opens whole if its cards are at least this large, otherwise at its entry at this zoom. */
const opening = { whole: 0.55, entry: 0.8 } as const;

type Positions = Layout['nodes'];

/** Where the canvas scrolls to: the pixel of the frame that is the flow's origin, and the zoom. */
interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** The viewport of a newly opened flow: all of it, or its entry if all of it would be too small to read. */
export function openingViewport(nodes: readonly NodeView[], positions: Positions, width: number, height: number): Viewport {
  const whole = viewportFor(nodes, positions, width, height);
  return whole.zoom >= opening.whole ? whole : viewportFor(nodes, positions, width, height, opening.entry);
}

/**
 * The viewport that centers all of these nodes in a frame of this size. If that needs less than the minimum zoom, it
 * shows the entry and the nodes after it.
 */
export function viewportFor(nodes: readonly NodeView[], positions: Positions, width: number, height: number, smallest = 0.05): Viewport {
  const boxes = nodes.flatMap((node) => {
    const position = positions[node.key];
    return position ? [{ node, ...position, right: position.x + cardWidth(node), bottom: position.y + cardHeight(node) }] : [];
  });
  if (boxes.length === 0) return { x: 0, y: 0, zoom: 1 };
  const left = Math.min(...boxes.map((box) => box.x));
  const top = Math.min(...boxes.map((box) => box.y));
  const wide = Math.max(...boxes.map((box) => box.right)) - left;
  const high = Math.max(...boxes.map((box) => box.bottom)) - top;
  const upper = Math.min(bars.top, height / 2);
  const lower = height < bars.bottomFrom ? margin : bars.bottom;
  const room = Math.max(1, height - upper - lower);
  const fitting = Math.min((width - 2 * sides) / wide, room / high);
  const zoom = Math.min(largest, Math.max(smallest, fitting));
  const first = boxes.find((box) => box.node.inputs.some((port) => port.entry)) ?? boxes.find((box) => box.x === left);
  // The nodes after the entry are to the right of it and in rows below it.
  const x = wide * zoom > width ? sides + (left - (first?.x ?? left)) * zoom : (width - wide * zoom) / 2;
  // Content that is too tall starts at its top, or further down so that the entry is in the middle.
  const entry = ((first?.y ?? top) - top) * zoom;
  const y =
    high * zoom > room + 1 ? Math.min(upper, Math.max(height / 2 - entry, height - lower - high * zoom)) : upper + (room - high * zoom) / 2;
  return { x: x - left * zoom, y: y - top * zoom, zoom };
}
