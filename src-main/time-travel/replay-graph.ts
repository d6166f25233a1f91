import type { FlowGraph, GraphNode, NodeBody } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';

/** The recorded result of a step: the values of its node's states by name, or the result of the list item that it ended. */
export interface RecordedOutcome {
  readonly states: Readonly<Record<string, Json>>;
  readonly ended?: Json;
}

/** A replayable graph, and the nodes whose recorded results are used. */
export interface ReplayGraph {
  readonly graph: FlowGraph;
  readonly opaque: readonly string[];
}

/**
 * Replaces handlers in code that are declared pure, and so left no recorded effect, with their recorded results: they would run as native code on
 * this machine. Handlers that are effects stay; their results are on record as such.
 */
export function replayGraph(graph: FlowGraph, outcome: () => RecordedOutcome): ReplayGraph {
  const opaque: string[] = [];
  const replaced = (inner: FlowGraph): FlowGraph => ({
    ...inner,
    nodes: inner.nodes.map((node) => ({ ...node, body: bodyOf(node, inner.output) })),
    ...(inner.flow_tools && {
      flow_tools: Object.fromEntries(Object.entries(inner.flow_tools).map(([name, tool]) => [name, replaced(tool)])),
    }),
  });
  const bodyOf = (node: GraphNode, output: string): NodeBody => {
    const { body } = node;
    if (body.type === 'each') return { ...body, flow: replaced(body.flow) };
    if (!(body.type === 'handler' || body.type === 'function') || !body.pure) return body;
    if (body.type === 'function' && typeof body.call === 'function') return body;
    opaque.push(node.id);
    return { type: 'function', pure: true, tools: [], call: () => resultOf(node, statesOf(outcome(), output)) };
  };
  return { graph: replaced(graph), opaque };
}

function statesOf({ states, ended }: RecordedOutcome, output: string): Readonly<Record<string, Json>> {
  return ended === undefined ? states : { [output]: ended };
}

/** Derives the return value of a node's handler from the states that it produced. */
function resultOf({ kind, to }: GraphNode, states: Readonly<Record<string, Json>>): Json {
  if (kind === 'fork') return to.map((name) => states[name] as Json);
  const [name = ''] = to.filter((one) => Object.hasOwn(states, one));
  const value = states[name] as Json;
  if (kind !== 'either') return value;
  return name === to[0] ? { left: value } : { right: value };
}
