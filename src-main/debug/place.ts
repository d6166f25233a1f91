import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { nextNode } from '#shared/flow/next-node.ts';
import { nodesById, originOf } from '#shared/flow/origin.ts';
import { graphNodeTitle } from '#shared/flow/run-node-title.ts';
import type { Json } from '#shared/json.ts';
import type { Control } from '#shared/run/snapshot.ts';
import type { Frame } from '#shared/run/stop.ts';

/** A run between two records, as its driver and its journal both know it. */
export interface RunAt {
  readonly states: { get(name: string): { readonly value: Json } | undefined };
  readonly control: Pick<Control, 'agents' | 'frames' | 'answers' | 'suspensions' | 'counters'>;
}

/** An item of an `each` node that contains a place. */
export interface Level {
  readonly each: GraphNode;
  /** Flow of the `each` node. */
  readonly graph: FlowGraph;
  /** The `each` node's id in the run. */
  readonly id: string;
  readonly index: number;
  /** Number of items; null if the list is unknown. */
  readonly of: number | null;
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

const inItem = /^([^[]+)\[(\d+)\]::(.+)$/s;

/** Returns the place of a node by its id in the run (`Items[2]::Draft`); null if the flow has no such node. */
export function placeOf(graph: FlowGraph, id: string, { states, control }: RunAt): Place | null {
  const levels: Level[] = [];
  let [inside, rest, prefix] = [graph, id, ''];
  let state: Place['state'] = (name) => states.get(name)?.value;
  for (let match = inItem.exec(rest); match; match = inItem.exec(rest)) {
    const [, name = '', digits = '', inner = ''] = match;
    const each = nodesById(inside).get(name);
    if (each?.body.type !== 'each') return null;
    const [eachId, index, list] = [prefix + name, Number(digits), state(each.from[0] as string)];
    levels.push({ each, graph: inside, id: eachId, index, of: Array.isArray(list) ? list.length : null });
    inside = each.body.flow;
    state = statesOfItem(inside, control.frames[eachId], index, Array.isArray(list) ? list[index] : undefined);
    [rest, prefix] = [inner, `${eachId}[${index}]::`];
  }
  const node = nodesById(inside).get(rest);
  return node ? { id, node, graph: inside, levels, state } : null;
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
    const inner = nextInItem(place, at.control.frames[place.id]);
    if (!inner) return place;
    place = placeOf(graph, inner, at);
  }
  return null;
}

/** Returns the id of the node that fires next in the current item of an `each` node; null if the `each` node itself fires. */
function nextInItem({ id, node, state }: Place, frame: Control['frames'][string] | undefined): string | null {
  const list = state(node.from[0] as string);
  if (node.body.type !== 'each' || !frame || !Array.isArray(list) || frame.index >= list.length) return null;
  return idInItem(id, node.body.flow, frame.index, frame.states.length > 0 ? frame.states.map(({ name }) => name) : undefined);
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
  const items = levels.flatMap(({ each, graph: around, index, of }) => framesOfNode(around, each, { item: { index, of } }, name));
  return [...items, ...framesOfNode(graph, node, detail, name)];
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
