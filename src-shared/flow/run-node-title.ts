import { frameName } from '#shared/run/node-id.ts';
import type { FlowGraph, GraphNode } from './graph.ts';
import { nameAsWords } from './name-as-words.ts';

/**
 * What a node of a run is called, by its id there. A node inside an `each` node is named with its item, counted from 1: `Draft a reply · item 2`; one of
 * a flow that an agent calls, with that flow: `Find · Look up`. The id itself where the graph has no such node.
 */
export function runNodeTitle(graph: FlowGraph, id: string): string {
  const own = graph.nodes.find((node) => node.id === id);
  if (own) return graphNodeTitle(own);
  const end = id.indexOf(']::');
  const frame = end < 0 ? null : frameName(id.slice(0, end + 1));
  const inner = id.slice(end + 3);
  if (frame?.type === 'call') {
    const flow = graph.flow_tools?.[frame.flow];
    return flow ? `${runNodeTitle(flow, inner)} · ${flow.name}` : id;
  }
  const body = graph.nodes.find((node) => node.id === frame?.each)?.body;
  return frame && body?.type === 'each' ? `${runNodeTitle(body.flow, inner)} · item ${frame.index + 1}` : id;
}

/** A node's own title, else the states that it consumes, in words. A node that an agent was expanded to is called by that agent. */
export function graphNodeTitle({ title, from, part_of, own_names = {} }: GraphNode): string {
  if (title) return title;
  const names = part_of === undefined ? from.map((name) => own_names[name] ?? name) : [part_of];
  return names.map(nameAsWords).join(' and ');
}
