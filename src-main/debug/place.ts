import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { nextNode } from '#shared/flow/next-node.ts';
import { nodesById, originOf } from '#shared/flow/origin.ts';
import { graphNodeTitle } from '#shared/flow/run-node-title.ts';
import type { Json } from '#shared/json.ts';
import { callFrameKey, type FrameNameOf, frameName } from '#shared/run/node-id.ts';
import type { AgentState, Control } from '#shared/run/snapshot.ts';
import type { Frame } from '#shared/run/stop.ts';

/** A run between two records, as its driver and its journal both know it. */
export interface RunAt {
  readonly states: { get(name: string): { readonly value: Json } | undefined };
  readonly control: Pick<Control, 'agents' | 'frames' | 'answers' | 'suspensions' | 'counters'>;
  /** Returns what the run has cost. Throws `FlowError` if that is unknown. */
  readonly cost?: () => number;
}

/** A frame that contains a place: an item of an `each` node, or a flow that an agent calls. */
export interface Level {
  /** The `each` node, or the agent that calls. */
  readonly node: GraphNode;
  /** That node's id in the run. */
  readonly nodeId: string;
  /** Flow of that node. */
  readonly graph: FlowGraph;
  /** The frame's key in `Control.frames`. */
  readonly id: string;
  readonly index: number;
  /** Number of items; null if the list is unknown. */
  readonly of: number | null;
  /** Of a called flow. */
  readonly call?: { readonly id: string; readonly tool: string; readonly turn: number | undefined };
}

/** A node of a run: where it is, and the states there. */
export interface Place {
  /** The node's id in the run. */
  readonly id: string;
  readonly node: GraphNode;
  /** The flow that contains it, with nested flows inlined: of a node inside an `each` node, the item's. */
  readonly graph: FlowGraph;
  /** Outermost first. */
  readonly levels: readonly Level[];
  /** Returns a waiting state of this graph by its name in the run; undefined if it does not wait. */
  readonly state: (name: string) => Json | undefined;
}

/** What an id's next frame leads into. */
interface Entered {
  readonly level: Level;
  readonly inside: FlowGraph;
  readonly state: Place['state'];
}

/** Returns the place of a node by its id in the run (`Items[2]::Draft`); null if the flow has no such node. */
export function placeOf(graph: FlowGraph, id: string, at: RunAt): Place | null {
  const levels: Level[] = [];
  let [inside, rest, prefix] = [graph, id, ''];
  let state: Place['state'] = (name) => at.states.get(name)?.value;
  for (let end = rest.indexOf(']::'); end >= 0; end = rest.indexOf(']::')) {
    const name = frameName(rest.slice(0, end + 1));
    const entered = name?.type === 'call' ? enterCall(inside, prefix, name, at) : name && enterItem(inside, prefix, name, state, at);
    if (!entered) return null;
    levels.push(entered.level);
    [inside, state] = [entered.inside, entered.state];
    [rest, prefix] = [rest.slice(end + 3), prefix + rest.slice(0, end + 3)];
  }
  const node = nodesById(inside).get(rest);
  return node ? { id, node, graph: inside, levels, state } : null;
}

function enterItem(
  graph: FlowGraph,
  prefix: string,
  { each, index }: FrameNameOf<'item'>,
  state: Place['state'],
  { control }: RunAt,
): Entered | null {
  const node = nodesById(graph).get(each);
  if (node?.body.type !== 'each') return null;
  const id = prefix + each;
  const list = state(node.from[0] as string);
  const of = Array.isArray(list) ? list.length : null;
  const inside = node.body.flow;
  const item = Array.isArray(list) ? list[index] : undefined;
  return { level: { node, nodeId: id, graph, id, index, of }, inside, state: statesOfItem(inside, control.frames[id], index, item) };
}

function enterCall(graph: FlowGraph, prefix: string, name: FrameNameOf<'call'>, { control }: RunAt): Entered | null {
  const node = nodesById(graph).get(name.caller);
  const inside = graph.flow_tools?.[name.flow];
  if (!node || !inside) return null;
  const id = callFrameKey(prefix + name.caller, name.flow, name.tool_call_id);
  const frame = control.frames[id];
  const call = { id: name.tool_call_id, tool: frame?.call?.tool ?? name.flow, turn: control.agents[prefix + name.caller]?.turn };
  const state = (of: string) => frame?.states.find((each) => each.name === of)?.value;
  return { level: { node, nodeId: prefix + name.caller, graph, id, index: 0, of: 1, call }, inside, state };
}

/** An item that has not begun holds only its input. */
function statesOfItem(
  { input }: FlowGraph,
  frame: Control['frames'][string] | undefined,
  index: number,
  item: Json | undefined,
): Place['state'] {
  if (frame?.index === index && frame.states.length > 0) return (name) => frame.states.find((each) => each.name === name)?.value;
  return (name) => (name === input ? item : undefined);
}

/**
 * Returns the node that fires next among these waiting states. An `each` node that has not begun, or whose items have all finished, counts as itself. Null
 * if no node can fire.
 */
export function nextPlace(graph: FlowGraph, waiting: Iterable<string>, at: RunAt): Place | null {
  const node = nextNode(graph, waiting);
  let place = node && placeOf(graph, node.id, at);
  while (place) {
    const inner = nextInside(place, at.control);
    if (!inner) return place;
    place = placeOf(graph, inner, at);
  }
  return null;
}

/** Returns the id of the node that fires next in the current item of an `each` node, or in a flow that an agent calls; null if the node itself fires. */
function nextInside({ id, node, graph, state }: Place, { frames, agents }: RunAt['control']): string | null {
  if (node.body.type === 'agent') return nextInCall(graph, frames, agents[id]);
  const frame = frames[id];
  const list = state(node.from[0] as string);
  if (node.body.type !== 'each' || !frame || !Array.isArray(list) || frame.index >= list.length) return null;
  return idInItem(id, node.body.flow, frame.index, frame.states.length > 0 ? frame.states.map(({ name }) => name) : undefined);
}

function nextInCall(graph: FlowGraph, frames: Control['frames'], agent: AgentState | undefined): string | null {
  if (agent?.phase !== 'act') return null;
  const open = agent.pending.find(({ frame: key, result }) => key !== undefined && !result && frames[key]?.index === 0);
  const frame = frames[open?.frame ?? ''];
  const flow = graph.flow_tools?.[frame?.call?.flow ?? ''];
  const next =
    frame &&
    flow &&
    nextNode(
      flow,
      frame.states.map(({ name }) => name),
    );
  return next ? `${open?.frame}::${next.id}` : null;
}

function idInItem(each: string, flow: FlowGraph, index: number, waiting: readonly string[] = [flow.input]): string | null {
  const next = nextNode(flow, waiting);
  return next && `${each}[${index}]::${next.id}`;
}

/** Returns the first node of the first item of an `each` node that is about to begin; null for other nodes and empty lists. */
export function firstInside(graph: FlowGraph, { id, node, state }: Place, at: RunAt): Place | null {
  const list = state(node.from[0] as string);
  if (node.body.type !== 'each' || !Array.isArray(list) || list.length === 0) return null;
  const inner = idInItem(id, node.body.flow, 0);
  return inner === null ? null : placeOf(graph, inner, at);
}

/** What a place's innermost frame says beside its node. */
export type FrameDetail = Pick<Frame, 'item' | 'turn' | 'phase' | 'call'>;

/** How a node is called. Default: its title, else the states that it consumes in words. */
export type NameNode = (node: GraphNode) => string;

/** Returns the frames of a place, outermost first: a flow's file and node each. */
export function framesOf({ levels, node, graph }: Place, detail: FrameDetail = {}, name: NameNode = graphNodeTitle): Frame[] {
  const around = levels.flatMap(({ node: outer, graph: flow, index, of, call }) => {
    const inside: FrameDetail = call
      ? { phase: 'act', ...(call.turn !== undefined && { turn: call.turn }), call: { id: call.id, tool: call.tool } }
      : { item: { index, of } };
    return framesOfNode(flow, outer, inside, name);
  });
  return [...around, ...framesOfNode(graph, node, detail, name)];
}

function framesOfNode(graph: FlowGraph, node: GraphNode, detail: FrameDetail, name: NameNode): Frame[] {
  const origins = originOf(graph, node);
  return origins.map((origin, index): Frame => {
    if (index < origins.length - 1) return { flow: origin.flow, node: origin.node, title: origin.title ?? origin.node, kind: 'flow' };
    return { flow: origin.flow, node: origin.node, title: name(node), kind: node.kind, ...detail };
  });
}

/** Returns the frames of a node that the flow does not contain, such as in a journal of an older version. */
export function unknownFrame(id: string): Frame[] {
  return [{ flow: '', node: id, title: id, kind: '' }];
}
