import type { JsonSchema } from '#shared/json.ts';
import { type FlowGraph, type GraphNode, type NodeOrigin, nodeIdOf } from './graph.ts';
import { originOf } from './origin.ts';

/** Where a flow that was built by itself goes in another one. */
export interface InlinePlace {
  /** Its states' names in the outer flow, by their names in its graph. */
  readonly rename: (name: string) => string;
  /** Of the `flow` node in the outer document. */
  readonly path: string;
  /** The `flow` nodes that contain it, outermost first. */
  readonly outer: readonly NodeOrigin[];
}

/** The names that a nested flow's states have outside: its input and output keep theirs. */
export function namesOutside({ input, output }: Pick<FlowGraph, 'input' | 'output'>): (name: string) => string {
  return (name) => (name === input || name === output ? name : `${input}::${name}`);
}

/** Returns a flow's nodes and schemas as they are in the outer flow. */
export function inlineGraph(
  flow: FlowGraph,
  { rename, path, outer }: InlinePlace,
): { readonly nodes: GraphNode[]; readonly schemas: [string, JsonSchema][] } {
  const inside = (origin: NodeOrigin): NodeOrigin =>
    origin.states ? { ...origin, states: { input: rename(origin.states.input), output: rename(origin.states.output) } } : origin;
  const nodes = flow.nodes.map((node) => ({
    ...node,
    id: nodeIdOf(node.from.map(rename)),
    from: node.from.map(rename),
    to: node.to.map(rename),
    path,
    origin: [...outer, ...originOf(flow, node).map(inside)],
    own_names: Object.fromEntries([...node.from, ...node.to].map((name) => [rename(name), node.own_names?.[name] ?? name])),
  }));
  return { nodes, schemas: Object.entries(flow.schemas).map(([name, schema]) => [rename(name), schema]) };
}
