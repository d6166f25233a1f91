import type { FlowGraph, NodeBody } from './graph.ts';
import { toolUse } from './tool-use.ts';

/** The names of the tools that the nodes of a flow use, with the flows inside it and those that it calls as tools. */
export function toolNamesIn(graph: FlowGraph, names: Set<string> = new Set(), seen: Set<FlowGraph> = new Set()): Set<string> {
  if (seen.has(graph)) return names;
  seen.add(graph);
  for (const { body } of graph.nodes) {
    for (const name of namesIn(body)) names.add(name);
    if (body.type === 'each') toolNamesIn(body.flow, names, seen);
  }
  for (const flow of Object.values(graph.flow_tools ?? {})) toolNamesIn(flow, names, seen);
  return names;
}

function namesIn(body: NodeBody): string[] {
  if (body.type === 'session') return 'tool' in body.session ? [body.session.tool] : [];
  if (body.type === 'tool') return [body.tool];
  const uses = body.type === 'agent' ? (body.agent.tools ?? []) : 'tools' in body ? body.tools : [];
  return uses.map((use) => toolUse(use).name);
}
