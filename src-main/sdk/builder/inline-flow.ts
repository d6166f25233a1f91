import { type FlowGraph, type GraphNode, nodeIdOf } from '#shared/flow/graph.ts';
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
    // Code has no file until it is loaded from one.
    origin: [{ flow: '', node: flow.input }, ...(node.origin ?? [{ flow: '', node: node.part_of ?? node.id }])],
    own_names: Object.fromEntries([...node.from, ...node.to].map((name) => [rename(name), node.own_names?.[name] ?? name])),
  }));
  return { nodes, schemas: Object.entries(flow.schemas).map(([name, schema]) => [rename(name), schema]) };
}
