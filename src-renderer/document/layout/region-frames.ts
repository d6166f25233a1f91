import { cardHeight, cardWidth } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import type { Region } from '#renderer/document/graph/regions.ts';
import type { Layout } from '#shared/contract/flows.ts';

/** A rectangle around nodes of a region, in pixels at 100 %. */
export interface RegionFrame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Placed {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
}

/** Space between a card and its frame; above it the title stands. */
const space = { side: 14, inner: 6, top: 26 };

type Space = Pick<typeof space, 'side' | 'top'>;

/**
 * The frames of a region. One, unless another node lies within it, as where a flow is folded into rows: then it is cut at its widest gaps, until every
 * frame holds nodes of the region alone. `depth` is how many levels of regions lie within it: their frames have room.
 */
export function regionFrames({ nodes }: Region, view: GraphView, positions: Layout['nodes'], depth = 0): readonly RegionFrame[] {
  const members = new Set(nodes);
  const placed = view.nodes.flatMap((node) => placedAt(node, positions));
  const others = placed.filter(({ key }) => !members.has(key));
  const around = { side: space.side + depth * space.inner, top: space.top * (depth + 1) };
  return cut(
    placed.filter(({ key }) => members.has(key)),
    others,
    around,
  );
}

function placedAt(node: NodeView, positions: Layout['nodes']): Placed[] {
  const place = positions[node.key];
  return place ? [{ key: node.key, ...place, right: place.x + cardWidth(node), bottom: place.y + cardHeight(node) }] : [];
}

function cut(nodes: readonly Placed[], others: readonly Placed[], around: Space): RegionFrame[] {
  if (nodes.length === 0) return [];
  const x = Math.min(...nodes.map((node) => node.x)) - around.side;
  const y = Math.min(...nodes.map((node) => node.y)) - around.top;
  const right = Math.max(...nodes.map((node) => node.right)) + around.side;
  const bottom = Math.max(...nodes.map((node) => node.bottom)) + around.side;
  const isClean = others.every((other) => other.x >= right || other.right <= x || other.y >= bottom || other.bottom <= y);
  if (isClean || nodes.length === 1) return [{ x, y, width: right - x, height: bottom - y }];
  const halves = halved(nodes, 'y', 'bottom') ?? halved(nodes, 'x', 'right');
  return halves ? halves.flatMap((half) => cut(half, others, around)) : nodes.flatMap((node) => cut([node], others, around));
}

/** Two groups with the widest gap between them along an axis; null if there is none. */
function halved(nodes: readonly Placed[], start: 'x' | 'y', end: 'right' | 'bottom'): [Placed[], Placed[]] | null {
  const sorted = [...nodes].sort((one, other) => one[start] - other[start]);
  let [widest, at, reach] = [0, 0, sorted[0]?.[end] ?? 0];
  for (const [index, node] of sorted.entries()) {
    if (node[start] - reach > widest) [widest, at] = [node[start] - reach, index];
    reach = Math.max(reach, node[end]);
  }
  return at === 0 ? null : [sorted.slice(0, at), sorted.slice(at)];
}
