import type { GraphNode } from './graph.ts';

/**
 * Returns the loops of a graph: for each, the nodes of which each leads to all others, without those of called flows. A node that leads to itself is a loop,
 * too. Loops inside a loop belong to it.
 */
export function loopsOf(nodes: readonly Pick<GraphNode, 'id' | 'from' | 'to'>[]): ReadonlySet<string>[] {
  const consumers = new Map<string, string[]>();
  for (const { id, from } of nodes) for (const state of from) consumers.set(state, [...(consumers.get(state) ?? []), id]);
  const next = new Map(nodes.map(({ id, to }) => [id, to.flatMap((state) => consumers.get(state) ?? [])]));
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const loops: ReadonlySet<string>[] = [];

  const enter = (id: string) => {
    order.set(id, order.size);
    low.set(id, order.size - 1);
    open.push(id);
    isOpen.add(id);
  };
  const leave = (id: string) => {
    if (low.get(id) !== order.get(id)) return;
    const members = open.splice(open.lastIndexOf(id));
    for (const member of members) isOpen.delete(member);
    if (members.length > 1 || next.get(id)?.includes(id)) loops.push(new Set(members));
  };
  const lower = (id: string, to: number | undefined) => low.set(id, Math.min(low.get(id) as number, to as number));

  // Tarjan's strongly connected components, without recursion: a flow may be a chain of thousands.
  for (const { id: root } of nodes) {
    if (order.has(root)) continue;
    enter(root);
    const path = [{ id: root, at: 0 }];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const target = next.get(top.id)?.[top.at++];
      if (target === undefined) {
        path.pop();
        const above = path.at(-1);
        if (above) lower(above.id, low.get(top.id));
        leave(top.id);
      } else if (!order.has(target)) {
        enter(target);
        path.push({ id: target, at: 0 });
      } else if (isOpen.has(target)) lower(top.id, order.get(target));
    }
  }
  return loops;
}
