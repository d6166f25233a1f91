import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import { parseToolReference, toolUse } from '#shared/flow/tool-use.ts';

/** Whether a tool's results come from outside and may try to instruct a model. */
export function bringsUntrusted(tool: string): boolean {
  return tool === 'http_request' || tool === 'scrape_url' || parseToolReference(tool).type === 'mcp';
}

/** Whether anything in a flow, or in a flow inside it, calls such a tool. */
export function flowBringsUntrusted({ nodes, flow_tools = {} }: FlowGraph): boolean {
  return nodes.some(({ body }) => bodyBringsUntrusted(body)) || Object.values(flow_tools).some(flowBringsUntrusted);
}

function bodyBringsUntrusted(body: NodeBody): boolean {
  switch (body.type) {
    case 'tool':
      return bringsUntrusted(body.tool);
    case 'each':
      return flowBringsUntrusted(body.flow);
    case 'agent':
      return (body.agent.tools ?? []).some((use) => bringsUntrusted(toolUse(use).name));
    case 'run':
    case 'module':
    case 'function':
    case 'handler':
      return body.tools.some((use) => bringsUntrusted(toolUse(use).name));
    case 'default':
    case 'expr':
    case 'suspend':
      return false;
  }
}
