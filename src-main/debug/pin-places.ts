import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { originOf, ownName } from '#shared/flow/origin.ts';

/** A node at which a pin takes effect, and what it then produces. */
export interface PinPlace {
  /** The node that is about to run: of a nested flow and of an agent that was expanded, the first one. */
  readonly node: GraphNode;
  /** The states to produce, by their names in the pinned node's file. */
  readonly outputs: ReadonlyMap<string, string>;
}

/** The graph nodes that one node of a file became in one graph. */
export interface FileNode {
  readonly nodes: readonly GraphNode[];
  /** Of a `flow` node: the states that enter and leave it. */
  readonly around: { readonly input: string; readonly output: string } | null;
}

/** Calls `each` with every graph of a run: the flow itself, those of its `each` nodes, and those that it calls as tools. */
export function everyGraph(graph: FlowGraph, each: (graph: FlowGraph) => void, seen = new Set<FlowGraph>()): void {
  if (seen.has(graph)) return;
  seen.add(graph);
  each(graph);
  for (const { body } of graph.nodes) if (body.type === 'each') everyGraph(body.flow, each, seen);
  for (const tool of Object.values(graph.flow_tools ?? {})) everyGraph(tool, each, seen);
}

/** Returns what the nodes of the files became in a graph, by `FILE#NODE`; of a nested flow in each place that contains it. */
export function fileNodes(graph: FlowGraph): ReadonlyMap<string, readonly FileNode[]> {
  const found = new Map<string, Map<string, { readonly nodes: GraphNode[]; readonly around: FileNode['around'] }>>();
  for (const node of graph.nodes) {
    const origins = originOf(graph, node);
    let place = '';
    for (const [index, { flow, node: id, states }] of origins.entries()) {
      const key = fileKey(flow, id);
      const places = found.get(key) ?? new Map();
      found.set(key, places);
      place += `\n${key}`;
      const known = places.get(place);
      if (known) known.nodes.push(node);
      else places.set(place, { nodes: [node], around: index < origins.length - 1 ? (states ?? null) : null });
    }
  }
  return new Map([...found].map(([key, places]) => [key, [...places.values()]]));
}

export function fileKey(flow: string, node: string): string {
  return `${flow}#${node}`;
}

/** Returns where a pin of a file's node takes effect; null if it can't: a nested flow whose input is one of two that a join takes. */
export function pinPlace({ nodes, around }: FileNode): PinPlace | null {
  if (around) {
    const node = nodes.find(({ from }) => from.includes(around.input));
    return node?.from.length === 1 ? { node, outputs: new Map([[around.output, around.output]]) } : null;
  }
  const [only] = nodes;
  if (!only) return null;
  if (nodes.length === 1) return { node: only, outputs: namesOf(only, only.to) };
  const first = nodes.find(({ id, part_of }) => id === part_of);
  const consumed = new Set(nodes.flatMap(({ from }) => from));
  const last = nodes.find(({ to }) => to.some((state) => !consumed.has(state)));
  return first && last
    ? {
        node: first,
        outputs: namesOf(
          last,
          last.to.filter((state) => !consumed.has(state)),
        ),
      }
    : null;
}

function namesOf(node: GraphNode, states: readonly string[]): ReadonlyMap<string, string> {
  return new Map(states.map((state) => [ownName(node, state), state]));
}
