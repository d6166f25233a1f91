import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import { parseToolReference, toolUse } from '#shared/flow/tool-use.ts';
import { toolFacts } from '#shared/flow/tools/built-in-tools.ts';

/** Whether a tool's results come from outside and may try to instruct a model. */
export function toolTaints(tool: string): boolean {
  const { type } = parseToolReference(tool);
  return toolFacts(tool)?.untrusted === true || type === 'mcp' || type === 'openapi';
}

const verdicts = new WeakMap<FlowGraph, boolean>();

/** Whether anything in a flow, or in a flow inside it, calls such a tool. Cached by flow, since flows can contain each other many times. */
export function flowTaints(graph: FlowGraph): boolean {
  let verdict = verdicts.get(graph);
  if (verdict === undefined) {
    verdict = graph.nodes.some(({ body }) => bodyTaints(body, graph)) || Object.values(graph.flow_tools ?? {}).some(flowTaints);
    verdicts.set(graph, verdict);
  }
  return verdict;
}

/**
 * Ids of the nodes that consume tainted states: those after a node that calls such a tool. An agent among them reads outside content in its
 * first prompt.
 */
export function taintedNodes(graph: FlowGraph): ReadonlySet<string> {
  const tainted = new Set<string>();
  const states = graph.nodes.filter(({ body }) => bodyTaints(body, graph)).flatMap(({ to }) => to);
  if (states.length === 0) return tainted;
  const consumers = new Map(graph.nodes.flatMap((node) => node.from.map((state) => [state, node] as const)));
  for (let state = states.pop(); state !== undefined; state = states.pop()) {
    const node = consumers.get(state);
    if (!node || tainted.has(node.id)) continue;
    tainted.add(node.id);
    states.push(...node.to);
  }
  return tainted;
}

function bodyTaints(body: NodeBody, graph: FlowGraph): boolean {
  const taints = (tool: string) => toolTaints(tool) || calledFlowTaints(tool, graph);
  switch (body.type) {
    case 'tool':
      return taints(body.tool);
    case 'each':
      return flowTaints(body.flow);
    case 'session':
      return 'tool' in body.session && taints(body.session.tool);
    case 'agent':
      return (body.agent.tools ?? []).some((use) => taints(toolUse(use).name));
    case 'run':
    case 'module':
    case 'function':
    case 'handler':
      return body.tools.some((use) => taints(toolUse(use).name));
    case 'default':
    case 'builtin':
    case 'expr':
    case 'suspend':
      return false;
  }
}

function calledFlowTaints(tool: string, { flow_tools = {} }: FlowGraph): boolean {
  const flow = Object.hasOwn(flow_tools, tool) ? flow_tools[tool] : undefined;
  return flow !== undefined && flowTaints(flow);
}
