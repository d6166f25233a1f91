import type { FlowGraph, GraphNode } from './graph.ts';
import { nameAsWords } from './name-as-words.ts';

/**
 * What a node of a run is called, by its id there. A node inside an `each` node is named with its item, counted from 1: `Draft a reply · item 2`.
 * The id itself where the graph has no such node.
 */
export function runNodeTitle(graph: FlowGraph, id: string): string {
  const own = graph.nodes.find((node) => node.id === id);
  if (own) return graphNodeTitle(own);
  const [, each = '', index = '', inner = ''] = /^([^[]+)\[(\d+)\]::(.+)$/s.exec(id) ?? [];
  const body = graph.nodes.find((node) => node.id === each)?.body;
  return body?.type === 'each' ? `${runNodeTitle(body.flow, inner)} · item ${Number(index) + 1}` : id;
}

/** A node's own title, else the states that it consumes, in words. A node that an agent was expanded to is called by that agent. */
export function graphNodeTitle({ title, from, part_of, own_names = {} }: GraphNode): string {
  if (title) return title;
  const names = part_of === undefined ? from.map((name) => own_names[name] ?? name) : [part_of];
  return names.map(nameAsWords).join(' and ');
}
