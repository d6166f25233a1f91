import type { FlowGraph, GraphNode } from './graph.ts';

/** Returns the node that fires next from these states (in insertion order); null if none can. */
export function nextNode(graph: FlowGraph, waiting: Iterable<string>): GraphNode | null {
  const consumers = consumersOf(graph);
  const names = new Set(waiting);
  for (const name of names) {
    const node = consumers.get(name);
    if (node?.from.every((parent) => names.has(parent))) return node;
  }
  return null;
}

const known = new WeakMap<FlowGraph, ReadonlyMap<string, GraphNode>>();

function consumersOf(graph: FlowGraph): ReadonlyMap<string, GraphNode> {
  let consumers = known.get(graph);
  if (!consumers) {
    consumers = new Map(graph.nodes.flatMap((node) => node.from.map((name) => [name, node] as const)));
    known.set(graph, consumers);
  }
  return consumers;
}
