import type { ItemProgress } from '#shared/contract/runs.ts';
import type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
import { nextNode } from '#shared/flow/next-node.ts';
import { graphNodeTitle } from '#shared/flow/run-node-title.ts';
import type { Json } from '#shared/json.ts';

/** An `each` node in progress, as stored in a snapshot. */
interface EachInProgress {
  readonly index: number;
  readonly states: readonly NamedState[];
}

/** Returns the positions of a run's `each` nodes, outer ones first. `states` is the run's own state map. */
export function itemsInProgress(
  graph: FlowGraph,
  frames: Readonly<Record<string, EachInProgress>>,
  states: ReadonlyMap<string, { readonly value: Json }>,
): ItemProgress[] {
  return Object.entries(frames).map(([node, { index, states: waiting }]) => {
    const list = listOf(node, frames, states);
    const inner = innerGraph(graph, node);
    const stateNames = waiting.length > 0 ? waiting.map(({ name }) => name) : inner ? [inner.input] : [];
    const next = inner && (list === null || index < list.length) ? nextNode(inner, stateNames) : null;
    return {
      node,
      index,
      of: list?.length ?? null,
      states: [...waiting],
      next: next ? `${node}[${index}]::${next.id}` : null,
    };
  });
}

/** Returns the list over which an `each` node iterates: a state of the run or of the surrounding item. */
function listOf(
  node: string,
  frames: Readonly<Record<string, EachInProgress>>,
  states: ReadonlyMap<string, { readonly value: Json }>,
): readonly Json[] | null {
  const end = node.lastIndexOf(']::');
  const frame = end < 0 ? undefined : frames[node.slice(0, node.lastIndexOf('[', end))];
  const value = end < 0 ? states.get(node)?.value : frame?.states.find(({ name }) => name === node.slice(end + 3))?.value;
  return Array.isArray(value) ? value : null;
}

/** Returns a state's value inside an item; before the item's first step, the item itself. */
export function valueOfItem(
  frames: Readonly<Record<string, EachInProgress>>,
  states: ReadonlyMap<string, { readonly value: Json }>,
  { each, index }: { readonly each: string; readonly index: number },
  name: string,
): Json | undefined {
  const frame = frames[each];
  const waiting = frame?.index === index ? frame.states : [];
  return waiting.length > 0 ? waiting.find((state) => state.name === name)?.value : listOf(each, frames, states)?.[index];
}

/** Returns the flow of an `each` node, resolved through the surrounding `each` nodes. */
function innerGraph(graph: FlowGraph, node: string): FlowGraph | null {
  let inner: FlowGraph | null = graph;
  for (const id of node.split(/\[\d+\]::/)) {
    const body: FlowGraph['nodes'][number]['body'] | undefined = inner?.nodes.find((candidate) => candidate.id === id)?.body;
    inner = body?.type === 'each' ? body.flow : null;
  }
  return inner;
}

/** Returns the titles of nodes inside nested flows by id; inside an `each` node without the item number. */
export function innerTitles(graph: FlowGraph, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    graph.nodes.flatMap((node) => {
      const { id, body } = node;
      const own = prefix !== '' || id.includes('::') ? [[`${prefix}${id}`, graphNodeTitle(node)] as const] : [];
      const inner = body.type === 'each' ? Object.entries(innerTitles(body.flow, `${prefix}${id}[]::`)) : [];
      return [...own, ...inner];
    }),
  );
}
