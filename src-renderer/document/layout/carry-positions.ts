import { card, cardHeight } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';
import type { LayoutExtras } from '#shared/flow/layout/layout.ts';

type Positions = Layout['nodes'];

/**
 * Positions for a graph after an edit. Nodes keep theirs; a renamed node keeps its position (removed and added keys are
 * paired in order); a new node is placed beside its producer.
 */
export function carryPositions(before: GraphView, after: GraphView, positions: Positions): Positions {
  // Most edits are inside a node. `positions` may also contain nodes that were removed and can come back.
  if (sameKeys(before.nodes, after.nodes) && after.nodes.every((node) => positions[node.key])) return positions;
  const remaining = new Set(after.nodes.map((node) => node.key));
  const gone = before.nodes.filter((node) => !remaining.has(node.key) && positions[node.key]);
  const known = new Set(before.nodes.map((node) => node.key));
  const carried: Record<string, { x: number; y: number }> = {};
  const homeless: NodeView[] = [];
  for (const node of after.nodes) {
    const own = positions[node.key];
    if (own) {
      carried[node.key] = own;
      continue;
    }
    const index = known.has(node.key) ? -1 : gone.findIndex((candidate) => candidate.kind === node.kind);
    const inherited = index < 0 ? undefined : positions[gone.splice(index, 1)[0]?.key ?? ''];
    if (inherited) carried[node.key] = inherited;
    else homeless.push(node);
  }
  for (const node of homeless) carried[node.key] = besideItsNeighbours(node, after, carried);
  return carried;
}

/** Groups after an edit: with the new keys of renamed nodes, without nodes and groups that are gone. */
export function carryGroups(before: GraphView, after: GraphView, extras: LayoutExtras): LayoutExtras {
  if (!extras.groups || sameKeys(before.nodes, after.nodes)) return extras;
  const remaining = new Set(after.nodes.map((node) => node.key));
  const known = new Set(before.nodes.map((node) => node.key));
  const gone = before.nodes.filter((node) => !remaining.has(node.key));
  const renamed = new Map<string, string>();
  for (const node of after.nodes) {
    const index = known.has(node.key) ? -1 : gone.findIndex((candidate) => candidate.kind === node.kind);
    const old = index < 0 ? undefined : gone.splice(index, 1)[0];
    if (old) renamed.set(old.key, node.key);
  }
  const groups = extras.groups.flatMap((group) => {
    const nodes = group.nodes.map((key) => renamed.get(key) ?? key).filter((key) => remaining.has(key));
    return nodes.length > 0 ? [{ ...group, nodes }] : [];
  });
  const { groups: _groups, ...rest } = extras;
  return groups.length > 0 ? { ...rest, groups } : rest;
}

function sameKeys(before: readonly NodeView[], after: readonly NodeView[]): boolean {
  return before.length === after.length && after.every((node, index) => node.key === before[index]?.key);
}

/** A free position to the right of the producer of this node's input, or to the left of the consumer of its output. */
function besideItsNeighbours(node: NodeView, view: GraphView, positions: Positions): { x: number; y: number } {
  const producer = view.wires.find((wire) => wire.target === node.key && positions[wire.source])?.source;
  const consumer = view.wires.find((wire) => wire.source === node.key && positions[wire.target])?.target;
  const anchor = producer ? positions[producer] : consumer ? positions[consumer] : undefined;
  const offset = producer ? card.width + 96 : consumer ? -(card.width + 96) : 0;
  const lowest = Object.values(positions).reduce((low, { y }) => Math.max(low, y + 120), 0);
  const wanted = anchor ? { x: anchor.x + offset, y: anchor.y } : { x: 0, y: Object.keys(positions).length === 0 ? 0 : lowest };
  return freePlace(wanted, cardHeight(node), view, positions);
}

/** The first position at or below `wanted` where a card of this height overlaps no other. */
export function freePlace(
  wanted: { readonly x: number; readonly y: number },
  height: number,
  view: GraphView,
  positions: Positions,
): { x: number; y: number } {
  const boxes = view.nodes.flatMap((other) => {
    const position = positions[other.key];
    return position ? [{ ...position, height: cardHeight(other) }] : [];
  });
  let y = wanted.y;
  for (;;) {
    const hit = boxes.find((box) => Math.abs(box.x - wanted.x) < card.width + 16 && y < box.y + box.height + 16 && box.y < y + height + 16);
    if (!hit) return { x: Math.round(wanted.x / 4) * 4, y: Math.round(y / 4) * 4 };
    y = hit.y + hit.height + 20;
  }
}
