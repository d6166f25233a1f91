import { type FlowGraph, type GraphNode, type NodeOrigin, nodeIdOf } from '#shared/flow/graph.ts';
import type { JsonSchema } from '#shared/json.ts';

/** Renames a flow's nodes and schemas for the outer flow, at the node with this path. */
export function inlineFlow(flow: FlowGraph, path: string): { readonly nodes: GraphNode[]; readonly schemas: [string, JsonSchema][] } {
  const rename = (name: string): string => (name === flow.input || name === flow.output ? name : `${flow.input}::${name}`);
  const nodes = flow.nodes.map((node) => ({
    ...node,
    id: nodeIdOf(node.from.map(rename)),
    from: node.from.map(rename),
    to: node.to.map(rename),
    path,
    origin: originInside(flow, node, rename),
    own_names: Object.fromEntries([...node.from, ...node.to].map((name) => [rename(name), node.own_names?.[name] ?? name])),
  }));
  return { nodes, schemas: Object.entries(flow.schemas).map(([name, schema]) => [rename(name), schema]) };
}

/** Code has no file until it is loaded from one. */
function originInside({ input, output }: FlowGraph, node: GraphNode, rename: (name: string) => string): NodeOrigin[] {
  const inner = node.origin ?? [{ flow: '', node: node.part_of ?? node.id }];
  const renamed = inner.map((each) =>
    each.states ? { ...each, states: { input: rename(each.states.input), output: rename(each.states.output) } } : each,
  );
  return [{ flow: '', node: input, states: { input, output } }, ...renamed];
}
