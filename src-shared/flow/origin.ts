import type { FlowGraph, GraphNode, NodeOrigin } from './graph.ts';

/** Returns the files and nodes in which a node is written, outermost first. The last one is the node itself. */
export function originOf(graph: FlowGraph, { origin, part_of, id }: GraphNode): readonly NodeOrigin[] {
  return origin ?? [{ flow: graph.source ?? '', node: part_of ?? id }];
}

/** Returns the name that a state has in the file of a node that consumes or produces it. */
export function ownName({ own_names }: GraphNode, state: string): string {
  return own_names?.[state] ?? state;
}

const indexes = new WeakMap<FlowGraph, ReadonlyMap<string, GraphNode>>();

/** Returns the nodes of a graph by id. */
export function nodesById(graph: FlowGraph): ReadonlyMap<string, GraphNode> {
  let nodes = indexes.get(graph);
  if (!nodes) {
    nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    indexes.set(graph, nodes);
  }
  return nodes;
}
