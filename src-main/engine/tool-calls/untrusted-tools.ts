import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import { parseToolReference, toolUse } from '#shared/flow/tool-use.ts';
import { toolFacts } from '#shared/flow/tools/built-in-tools.ts';

/** Whether a tool's results come from outside and may try to instruct a model. */
export function bringsUntrusted(tool: string): boolean {
  return toolFacts(tool)?.untrusted === true || parseToolReference(tool).type === 'mcp';
}

const verdicts = new WeakMap<FlowGraph, boolean>();

/** Whether anything in a flow, or in a flow inside it, calls such a tool. Found out once for each flow, however often it is held. */
export function flowBringsUntrusted(graph: FlowGraph): boolean {
  let verdict = verdicts.get(graph);
  if (verdict === undefined) {
    verdict =
      graph.nodes.some(({ body }) => bodyBringsUntrusted(body, graph)) || Object.values(graph.flow_tools ?? {}).some(flowBringsUntrusted);
    verdicts.set(graph, verdict);
  }
  return verdict;
}

/**
 * Ids of the nodes that consume what came from outside, or what was made of it: those after a node that brings it. An agent among them
 * reads it in its very prompt.
 */
export function nodesAfterUntrusted(graph: FlowGraph): ReadonlySet<string> {
  const after = new Set<string>();
  const tainted = graph.nodes.filter(({ body }) => bodyBringsUntrusted(body, graph)).flatMap(({ to }) => to);
  if (tainted.length === 0) return after;
  const consumers = new Map(graph.nodes.flatMap((node) => node.from.map((state) => [state, node] as const)));
  for (let state = tainted.pop(); state !== undefined; state = tainted.pop()) {
    const node = consumers.get(state);
    if (!node || after.has(node.id)) continue;
    after.add(node.id);
    tainted.push(...node.to);
  }
  return after;
}

function bodyBringsUntrusted(body: NodeBody, graph: FlowGraph): boolean {
  const brings = (tool: string) => bringsUntrusted(tool) || isUntrustedFlow(tool, graph);
  switch (body.type) {
    case 'tool':
      return brings(body.tool);
    case 'each':
      return flowBringsUntrusted(body.flow);
    case 'agent':
      return (body.agent.tools ?? []).some((use) => brings(toolUse(use).name));
    case 'run':
    case 'module':
    case 'function':
    case 'handler':
      return body.tools.some((use) => brings(toolUse(use).name));
    case 'default':
    case 'builtin':
    case 'expr':
    case 'suspend':
      return false;
  }
}

function isUntrustedFlow(tool: string, { flow_tools = {} }: FlowGraph): boolean {
  const flow = Object.hasOwn(flow_tools, tool) ? flow_tools[tool] : undefined;
  return flow !== undefined && flowBringsUntrusted(flow);
}
