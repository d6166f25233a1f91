import { endOfFlow, type ForeignGraph } from './foreign-graph.ts';

/** The graph without nodes that only mark a place, where one connection leaves them and leads to another node. */
export function withoutMarkers(graph: ForeignGraph): ForeignGraph {
  return graph.nodes.reduce((left, { id, does }) => (does.kind === 'pass' && does.marker ? withoutNode(left, id) : left), graph);
}

function withoutNode(graph: ForeignGraph, id: string): ForeignGraph {
  const [only, ...others] = graph.edges.filter(({ from }) => from === id);
  if (!only || others.length > 0 || only.to === id || only.to === endOfFlow) return graph;
  const { to } = only;
  const edges = graph.edges.flatMap((edge) => (edge === only ? [] : edge.to === id ? [{ ...edge, to }] : [edge]));
  return {
    ...graph,
    start: graph.start === id ? to : graph.start,
    nodes: graph.nodes.filter((node) => node.id !== id),
    // Two connections of one output that now lead to the same node are one.
    edges: edges.filter(
      (edge, at) => edges.findIndex((other) => other.from === edge.from && other.output === edge.output && other.to === edge.to) === at,
    ),
  };
}
