import { card, cardHeight } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import type { NodeMark } from '#renderer/runs/model/run-marks.ts';
import type { Layout } from '#shared/contract/flows.ts';

/** A rectangle in canvas pixels at 100 %. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Size of the map on the screen, in pixels. */
export const mapSize = { width: 150, height: 84 } as const;

/** The area that the map shows: all cards with a margin, or null while no card has a position. */
export function mapBox(view: GraphView, positions: Layout['nodes']): Box | null {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const node of view.nodes) {
    const place = positions[node.key];
    if (!place) continue;
    left = Math.min(left, place.x);
    top = Math.min(top, place.y);
    right = Math.max(right, place.x + card.width);
    bottom = Math.max(bottom, place.y + cardHeight(node));
  }
  if (right < left) return null;
  const room = marginAround(right - left, bottom - top);
  return { x: left - room, y: top - room, width: right - left + 2 * room, height: bottom - top + 2 * room };
}

function marginAround(width: number, height: number): number {
  return Math.max(40, width / 40, height / 40);
}

/** The margin around the cards in an area that the map shows. */
export function mapMargin({ width, height }: Box): number {
  return Math.max(40, width / 42, height / 42);
}

/** One path with a rectangle per node, in canvas pixels, each large enough to be visible on a map of `box`. */
export function cardsPath(nodes: readonly NodeView[], positions: Layout['nodes'], box: Box): string {
  const least = 1.5 * Math.max(box.width / mapSize.width, box.height / mapSize.height);
  const width = Math.max(card.width, least);
  let path = '';
  for (const node of nodes) {
    const place = positions[node.key];
    if (place) path += `M${place.x} ${place.y}h${width}v${Math.max(cardHeight(node), least)}h${-width}z`;
  }
  return path;
}

/** What a run has done to the cards on the map. */
export interface StatusPaths {
  /** The cards that the run has reached, as one path. */
  readonly reached: string;
  /** Over them, those that have not just run, by status. */
  readonly others: readonly (readonly [NodeMark['status'], string])[];
  readonly nodes: readonly NodeView[];
}

/**
 * The paths for these statuses. The long one, of all cards that were reached, is that of `before` unless a further card was reached or one is not any more: a step
 * of a run changes a few cards, and the browser reads and paints a path as a whole.
 */
export function statusPaths(
  nodes: readonly NodeView[],
  statusOf: (node: NodeView) => NodeMark['status'] | undefined,
  pathOf: (nodes: readonly NodeView[]) => string,
  before: StatusPaths | null,
): StatusPaths {
  const reached: NodeView[] = [];
  const others = new Map<NodeMark['status'], NodeView[]>();
  for (const node of nodes) {
    const status = statusOf(node);
    if (!status) continue;
    reached.push(node);
    if (status !== 'ran') others.set(status, [...(others.get(status) ?? []), node]);
  }
  const isSame = before?.nodes.length === reached.length && reached.every((node, at) => node === before.nodes[at]);
  return {
    nodes: isSame ? before.nodes : reached,
    reached: isSame ? before.reached : pathOf(reached),
    others: [...others].map(([status, some]) => [status, pathOf(some)]),
  };
}

/** Size of a sign on the map, in pixels of the screen. */
const signSize = 6;

/** One path with a sign at the upper right corner of each of these cards, equally large on the screen whatever the flow's size. */
export function signsPath(shape: 'triangle' | 'dot', nodes: readonly NodeView[], positions: Layout['nodes'], box: Box): string {
  const size = signSize * Math.max(box.width / mapSize.width, box.height / mapSize.height);
  let path = '';
  for (const node of nodes) {
    const place = positions[node.key];
    if (!place) continue;
    // Breakpoints are at the left edge of a card, as on the canvas.
    if (shape === 'triangle') path += `M${place.x + card.width} ${place.y - size / 2}l${size / 2} ${size}h${-size}z`;
    else path += `M${place.x - size / 2} ${place.y}a${size / 2} ${size / 2} 0 1 0 ${size} 0a${size / 2} ${size / 2} 0 1 0 ${-size} 0z`;
  }
  return path;
}
