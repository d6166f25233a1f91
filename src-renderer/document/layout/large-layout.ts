import { card, cardHeight } from '#renderer/document/graph/card-geometry.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';

const gap = { between_columns: 72, between_cards: 32 };

/**
 * Lays out a large graph in linear time, where ELK would take minutes: every node is one column to the right of its
 * last producer (wires back to an earlier node do not count), and each column is sorted by the positions of the
 * producers.
 */
export function largeLayout(view: GraphView): Layout['nodes'] {
  const column = columns(view);
  const producers = new Map<string, string[]>();
  for (const wire of view.wires) listIn(producers, wire.target).push(wire.source);

  const byColumn: NodeView[][] = [];
  for (const node of view.nodes) {
    const list = byColumn[column.get(node.key) ?? 0] ?? [];
    byColumn[column.get(node.key) ?? 0] = list;
    list.push(node);
  }
  const places: Record<string, { x: number; y: number }> = {};
  /** Vertical centers of the placed cards. */
  const middles = new Map<string, number>();
  byColumn.forEach((nodes, index) => {
    const wanted = new Map(nodes.map((node) => [node.key, mean(producers.get(node.key) ?? [], middles)]));
    nodes.sort((a, b) => (wanted.get(a.key) ?? 0) - (wanted.get(b.key) ?? 0));
    const heights = nodes.map((node) => cardHeight(node) + gap.between_cards);
    const total = heights.reduce((sum, height) => sum + height, 0);
    const middle = nodes.reduce((sum, node) => sum + (wanted.get(node.key) ?? 0), 0) / Math.max(1, nodes.length);
    let y = middle - (total - gap.between_cards) / 2;
    nodes.forEach((node, position) => {
      places[node.key] = { x: index * (card.width + gap.between_columns), y: Math.round(y / 4) * 4 };
      middles.set(node.key, y + cardHeight(node) / 2);
      y += heights[position] ?? 0;
    });
  });
  return places;
}

/** Column of each node, from 0: Kahn's algorithm over the forward wires. */
function columns(view: GraphView): Map<string, number> {
  const position = new Map(view.nodes.map((node, index) => [node.key, index]));
  const reached = depthFirstOrder(view);
  const forward = view.wires.filter((wire) => (reached.get(wire.source) ?? 0) < (reached.get(wire.target) ?? 0));
  const incoming = new Map<string, number>();
  const outgoing = new Map<string, string[]>();
  for (const { source, target } of forward) {
    incoming.set(target, (incoming.get(target) ?? 0) + 1);
    listIn(outgoing, source).push(target);
  }
  const column = new Map<string, number>();
  const ready = [...position.keys()].filter((key) => !incoming.get(key));
  for (const key of ready) column.set(key, 0);
  for (const key of ready) {
    for (const target of outgoing.get(key) ?? []) {
      column.set(target, Math.max(column.get(target) ?? 0, (column.get(key) ?? 0) + 1));
      const left = (incoming.get(target) ?? 1) - 1;
      incoming.set(target, left);
      if (left === 0) ready.push(target);
    }
  }
  return column;
}

/**
 * A number for each node that grows along every wire except those that close a loop: reverse postorder of a depth-first
 * walk.
 */
function depthFirstOrder(view: GraphView): Map<string, number> {
  const next = new Map<string, string[]>();
  for (const { source, target } of view.wires) listIn(next, source).push(target);
  const fed = new Set(view.wires.map((wire) => wire.target));
  const starts = [...view.nodes.filter((node) => !fed.has(node.key) || node.inputs.some((port) => port.entry)), ...view.nodes];
  const seen = new Set<string>();
  const finished: string[] = [];
  for (const start of starts) {
    const walk = seen.has(start.key) ? [] : [{ key: start.key, child: 0 }];
    seen.add(start.key);
    for (let top = walk.at(-1); top; top = walk.at(-1)) {
      const child = next.get(top.key)?.[top.child];
      top.child += 1;
      if (child === undefined) {
        finished.push(top.key);
        walk.pop();
      } else if (!seen.has(child)) {
        seen.add(child);
        walk.push({ key: child, child: 0 });
      }
    }
  }
  return new Map(finished.map((key, index) => [key, finished.length - index]));
}

/** The list of a key, created if it is missing. */
function listIn(lists: Map<string, string[]>, key: string): string[] {
  let list = lists.get(key);
  if (!list) {
    list = [];
    lists.set(key, list);
  }
  return list;
}

/** The mean of the known centers, or 0. */
function mean(keys: readonly string[], middles: ReadonlyMap<string, number>): number {
  const known = keys.flatMap((key) => middles.get(key) ?? []);
  return known.length === 0 ? 0 : known.reduce((sum, middle) => sum + middle, 0) / known.length;
}
