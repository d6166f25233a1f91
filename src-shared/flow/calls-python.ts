import type { FlowGraph } from './graph.ts';
import { toolNamesIn } from './tool-names-in.ts';
import { parseToolReference } from './tool-use.ts';

/** Ids of the nodes of a flow that call Python themselves: functions, callbacks and tools of the project. */
export function pythonNodes({ nodes }: FlowGraph): string[] {
  return nodes.flatMap(({ id, body }) => {
    if (body.type === 'session') return 'code' in body.session || isPython('tool' in body.session ? body.session.tool : '') ? [id] : [];
    if (body.type !== 'agent') return [];
    const tools = (body.agent.tools ?? []).map((use) => (typeof use === 'string' ? use : use.use));
    return tools.some(isPython) || Object.keys(body.session?.callbacks ?? {}).length > 0 ? [id] : [];
  });
}

/** Whether a flow, a flow inside it or one that it calls as a tool calls Python. */
export function callsPython(graph: FlowGraph): boolean {
  return pythonNodes(graph).length > 0 || [...toolNamesIn(graph)].some(isPython) || flowsIn(graph).some(callsPython);
}

function flowsIn({ nodes, flow_tools = {} }: FlowGraph): FlowGraph[] {
  return [...nodes.flatMap(({ body }) => (body.type === 'each' ? [body.flow] : [])), ...Object.values(flow_tools)];
}

function isPython(tool: string): boolean {
  return parseToolReference(tool).type === 'python';
}
