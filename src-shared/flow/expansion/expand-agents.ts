import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import type { ExpandedGraph, Expansion } from './agent-parts.ts';
import { expandPlan } from './expand-plan.ts';
import { expandRedundant } from './expand-redundant.ts';

/**
 * Replaces every agent of mode `plan` or `redundant` with ordinary nodes, as a nested flow's nodes replace its `flow` node. The states
 * between them are named after the agent's state (`Draft::plan`), so they meet no other state: no second node consumes it.
 */
export function expandAgents<Parts extends ExpandedGraph>(graph: Parts): Parts {
  if (!graph.nodes.some(isExpanded)) return graph;
  const expansions = graph.nodes.map((node) => expansionOf(node, graph));
  return {
    ...graph,
    nodes: expansions.flatMap(({ nodes }) => nodes),
    schemas: Object.assign({}, graph.schemas, ...expansions.map(({ schemas }) => schemas)) as FlowGraph['schemas'],
  };
}

function isExpanded({ body }: GraphNode): boolean {
  return body.type === 'agent' && (body.agent.mode === 'plan' || body.agent.mode === 'redundant');
}

function expansionOf(node: GraphNode, graph: ExpandedGraph): Expansion {
  const { schemas } = graph;
  if (!isExpanded(node) || node.body.type !== 'agent') return { nodes: [node], schemas: {} };
  const [from, to] = [node.from[0] as string, node.to[0] as string];
  const agent = { node, settings: node.body.agent, from, to, input: schemas[from] ?? true, output: schemas[to] ?? true, graph };
  return agent.settings.mode === 'plan' ? expandPlan(agent) : expandRedundant(agent);
}
