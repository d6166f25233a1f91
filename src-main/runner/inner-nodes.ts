import type { FrameProgress } from '#shared/contract/runs.ts';
import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import { nextNode } from '#shared/flow/next-node.ts';
import { graphNodeTitle } from '#shared/flow/run-node-title.ts';
import { toolUse } from '#shared/flow/tool-use.ts';
import type { Json } from '#shared/json.ts';
import { callFrameKey, enclosingFrame, enclosingFrameKey, frameName } from '#shared/run/node-id.ts';
import type { Control } from '#shared/run/snapshot.ts';

type States = ReadonlyMap<string, { readonly value: Json }>;

/** Returns the positions of a run's `each` nodes and called flows, outer ones first. `states` is the run's own state map. */
export function framesInProgress(graph: FlowGraph, frames: Control['frames'], states: States): FrameProgress[] {
  return Object.entries(frames).map(([node, { index, states: waiting, call }]) => {
    const list = call ? null : listOf(node, frames, states);
    const inner = innerGraph(graph, call ? node : `${node}[${index}]`);
    const stateNames = waiting.length > 0 ? waiting.map(({ name }) => name) : inner && !call ? [inner.input] : [];
    const next = inner && (list === null || index < list.length) ? nextNode(inner, stateNames) : null;
    return {
      node,
      index,
      of: call ? 1 : (list?.length ?? null),
      ...(call && { call: { id: call.tool_call_id, tool: call.tool } }),
      states: [...waiting],
      next: next ? `${call ? node : `${node}[${index}]`}::${next.id}` : null,
    };
  });
}

/** Returns the list over which an `each` node iterates: a state of the run or of the surrounding frame. */
function listOf(node: string, frames: Control['frames'], states: States): readonly Json[] | null {
  const key = enclosingFrameKey(node);
  const own = node.slice(node.lastIndexOf(']::') + 3);
  const value = key === null ? states.get(node)?.value : frames[key]?.states.find(({ name }) => name === own)?.value;
  return Array.isArray(value) ? value : null;
}

/** Returns a state's value in the frame that contains a node; before an item's first step, the item itself. */
export function valueInFrame(frames: Control['frames'], states: States, node: string, name: string): Json | undefined {
  const around = enclosingFrame(node);
  const frame = frames[enclosingFrameKey(node) ?? ''];
  const isHere = frame && (around?.type === 'call' || frame.index === around?.index);
  const waiting = isHere ? frame.states : [];
  if (waiting.length > 0 || around?.type !== 'item') return waiting.find((state) => state.name === name)?.value;
  return listOf(around.each, frames, states)?.[around.index];
}

/** Returns the flow that runs in a frame (`Items[2]`, `Ask::flow:./lookup.flow.yaml[call_1]`). */
function innerGraph(graph: FlowGraph, frame: string): FlowGraph | null {
  const end = frame.indexOf(']::');
  const name = frameName(end < 0 ? frame : frame.slice(0, end + 1));
  const body = name?.type === 'item' ? graph.nodes.find(({ id }) => id === name.each)?.body : undefined;
  const inner = name?.type === 'call' ? graph.flow_tools?.[name.flow] : body?.type === 'each' ? body.flow : undefined;
  if (!inner) return null;
  return end < 0 ? inner : innerGraph(inner, frame.slice(end + 3));
}

/** Number of titles that are returned: flows that call each other may contain their nodes any number of times. */
const mostTitles = 10_000;

/** Returns the titles of nodes inside nested flows by id; inside an `each` node without the item number, inside a called flow without the call's id. */
export function innerTitles(graph: FlowGraph): Record<string, string> {
  const titles: Record<string, string> = {};
  let count = 0;
  for (const [id, title] of titlesInside(graph, '')) {
    titles[id] = title;
    count += 1;
    if (count >= mostTitles) break;
  }
  return titles;
}

function* titlesInside(graph: FlowGraph, prefix: string): Generator<readonly [string, string]> {
  for (const node of graph.nodes) {
    const { id, body } = node;
    if (prefix !== '' || id.includes('::')) yield [`${prefix}${id}`, graphNodeTitle(node)];
    if (body.type === 'each') yield* titlesInside(body.flow, `${prefix}${id}[]::`);
    for (const flow of body.type === 'agent' ? flowsCalled(body) : []) {
      const inner = graph.flow_tools?.[flow];
      if (inner) yield* titlesInside(inner, `${callFrameKey(`${prefix}${id}`, flow, '')}::`);
    }
  }
}

function flowsCalled({ agent, session }: Extract<NodeBody, { readonly type: 'agent' }>): string[] {
  return [...(agent.tools ?? []).map((use) => toolUse(use).name), ...Object.keys(session?.agents ?? {})];
}
