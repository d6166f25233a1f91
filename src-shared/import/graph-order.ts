import { endOfFlow, type ForeignEdge } from './foreign-graph.ts';

/** Successors and predecessors of a graph's nodes; a node without an edge out of it leads to the end. */
export interface GraphOrder {
  readonly reachable: ReadonlySet<string>;
  readonly successors: ReadonlyMap<string, readonly string[]>;
  /** The nodes that lie on every way from a node to the end, itself among them. */
  readonly alwaysAfter: ReadonlyMap<string, ReadonlySet<string>>;
}

export function orderOf(start: string, edges: readonly ForeignEdge[]): GraphOrder {
  const successors = new Map<string, string[]>();
  for (const { from, to } of edges) successors.set(from, [...(successors.get(from) ?? []), to]);
  const reachable = reach(start, successors);
  for (const id of reachable) if (id !== endOfFlow && !successors.has(id)) successors.set(id, [endOfFlow]);
  reachable.add(endOfFlow);
  return { reachable, successors, alwaysAfter: postDominators(reachable, successors) };
}

/** All that can be reached from a node without passing through `border`. */
export function reach(start: string, successors: ReadonlyMap<string, readonly string[]>, border?: string): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id) || id === border) continue;
    found.add(id);
    open.push(...(successors.get(id) ?? []));
  }
  return found;
}

/** By iteration: what is after a node is what is after all its successors, and the node. */
function postDominators(nodes: ReadonlySet<string>, successors: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  const after = new Map<string, Set<string>>();
  after.set(endOfFlow, new Set([endOfFlow]));
  const backwards = [...nodes].reverse();
  for (let changed = true; changed; ) {
    changed = false;
    for (const id of backwards) {
      if (id === endOfFlow) continue;
      const known = (successors.get(id) ?? []).flatMap((next) => after.get(next) ?? []);
      if (known.length === 0) continue;
      const [first = new Set<string>(), ...rest] = known;
      const common = [...first].filter((each) => rest.every((set) => set.has(each)));
      const now = new Set(common).add(id);
      const before = after.get(id);
      if (before && before.size === now.size) continue;
      after.set(id, now);
      changed = true;
    }
  }
  return after;
}

/** The node at which the ways of several nodes meet for certain; null if there is none, as in an endless loop. */
export function meetingPoint(ids: readonly string[], { alwaysAfter }: GraphOrder): string | null {
  const sets = ids.map((id) => alwaysAfter.get(id) ?? new Set<string>());
  const [first = new Set<string>(), ...rest] = sets;
  const common = [...first].filter((id) => rest.every((set) => set.has(id)));
  let nearest: string | null = null;
  for (const id of common) if (nearest === null || (alwaysAfter.get(id)?.size ?? 0) > (alwaysAfter.get(nearest)?.size ?? 0)) nearest = id;
  return nearest;
}

/** The nodes in an order in which each comes after all that lead to it; null if they form a loop. */
export function topological(nodes: ReadonlySet<string>, successors: ReadonlyMap<string, readonly string[]>): string[] | null {
  const waiting = new Map<string, number>([...nodes].map((id) => [id, 0]));
  for (const id of nodes)
    for (const next of successors.get(id) ?? []) if (waiting.has(next)) waiting.set(next, (waiting.get(next) ?? 0) + 1);
  const order: string[] = [];
  const open = [...nodes].filter((id) => waiting.get(id) === 0);
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    order.push(id);
    for (const next of new Set(successors.get(id))) {
      if (!waiting.has(next)) continue;
      const left = (waiting.get(next) ?? 0) - (successors.get(id) ?? []).filter((each) => each === next).length;
      waiting.set(next, left);
      if (left === 0) open.push(next);
    }
  }
  return order.length === nodes.size ? order : null;
}
