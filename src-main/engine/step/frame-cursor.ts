import { sha256 } from '#main/engine/values/sha256.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import { FlowError, type TransferableError } from '#shared/run/error.ts';
import { frameName } from '#shared/run/node-id.ts';
import type { AgentState, CalledFlow, Frame } from '#shared/run/snapshot.ts';
import { acceptInput } from './accept-input.ts';
import { withResult } from './each-results.ts';
import type { FlowPlan, NodePlan } from './node-plan.ts';
import { StateMap } from './state-map.ts';

type Frames = Readonly<Record<string, Frame>>;

/** An item of an `each` node in progress, or a flow that an agent calls. */
interface Level {
  /** Its key in `Control.frames`: the `each` node's id in the run, or that of the call (`callFrameKey`). */
  readonly id: string;
  readonly frame: Frame;
  /** Which of its kind it is: the item's index, or the agent's turn and the call's position in it. */
  readonly position: string;
  readonly flow: FlowPlan;
  /** Of an item that is a step of a plan: its name. */
  readonly stepName?: string;
  /** The frame's own state map, made for this step from the frame. */
  readonly states: StateMap;
}

/** A node inside one or more frames. */
export interface FrameCursor {
  /** The node's id in the run: `"{each}[{index}]::{node}"`, `"{agent}::{flow}[{call}]::{node}"`. */
  readonly id: string;
  readonly plan: NodePlan;
  /** The innermost frame's state map, which the node takes from and gives to. */
  readonly states: StateMap;
  /** Outermost first. */
  readonly levels: readonly Level[];
  /** Why the node can't run, inside a called flow, which then fails: no node of it can fire, or a list or item doesn't fit. */
  readonly fault?: FlowError;
}

/** What of a run's control decides where it is. */
interface Standing {
  readonly frames: Frames;
  readonly agents: Readonly<Record<string, AgentState>>;
}

/** Whether a node may have frames. */
export function hasFrames({ each, node }: NodePlan): boolean {
  return each !== null || node.kind === 'agent';
}

/** How far `resolveFrame` goes into items. */
interface FrameOptions {
  /** Items that have not begun are not entered. */
  readonly opened?: boolean;
  /** Whether the output of an `each` node is supplied: one that has not begun is then not entered. */
  readonly isPinned?: ((plan: NodePlan, id: string) => boolean) | undefined;
}

/**
 * Returns the cursor at which a node that fires next continues: the node that fires next in its item or in a flow that it calls, or in a frame of that
 * one. Null when the node itself fires. Throws `Deadlock` for a stuck item, and
 * `DeserializeError` for an item that does not fit the inner flow's input.
 */
export function resolveFrame(outer: StateMap, first: NodePlan, control: Standing, options: FrameOptions = {}): FrameCursor | null {
  const levels: Level[] = [];
  let cursor: FrameCursor | null = null;
  let [plan, states, id] = [first, outer, first.node.id];
  for (;;) {
    try {
      const level = levelOf(id, plan, states, control, options);
      if (!level) return cursor;
      levels.push(level);
      states = level.states;
      const next = states.next;
      if (!next) throw states.deadlock();
      plan = next;
    } catch (error) {
      if (!(error instanceof FlowError) || !levels.some(({ frame }) => frame.call)) throw error;
      plan = states.next ?? states.stuck ?? plan;
      return { id: states.prefix + plan.node.id, plan, states, levels, fault: error };
    }
    id = states.prefix + plan.node.id;
    cursor = { id, plan, states, levels };
  }
}

function levelOf(id: string, plan: NodePlan, states: StateMap, { frames, agents }: Standing, options: FrameOptions): Level | null {
  if (plan.node.kind === 'agent') return openCallOf(id, plan, frames, agents[id]);
  if (!plan.each) return null;
  if ((options.opened || options.isPinned?.(plan, id)) && !Object.hasOwn(frames, id)) return null;
  return itemOf(id, plan, plan.each, states, frames[id]);
}

/** The first call, in call order, whose flow has not finished. */
function openCallOf(id: string, { called }: NodePlan, frames: Frames, agent: AgentState | undefined): Level | null {
  if (agent?.phase !== 'act') return null;
  for (const [index, { frame: key, result }] of agent.pending.entries()) {
    const frame = key === undefined || result ? undefined : frames[key];
    if (key === undefined || !frame?.call || frame.index > 0) continue;
    const flow = called(frame.call.flow, frame.call.tainted);
    if (!flow) throw new FlowError('SnapLoadError', `${id} calls no flow ${frame.call.flow}.`, { node: id });
    const position = `${agent.turn}-${index}`;
    return { id: key, frame, position, flow, states: new StateMap(flow, frame.states, `${key}::`) };
  }
  return null;
}

function itemOf(id: string, each: NodePlan, inner: FlowPlan, outer: StateMap, frame = noFrame): Level | null {
  const [items] = outer.valuesOf(each);
  if (!Array.isArray(items)) {
    const name = each.node.from[0] as string;
    throw new FlowError('DeserializeError', `${id} iterates over a list, but its ${name} is not an array.`, {
      node: id,
      details: { schema: name, path: '', keyword: 'type' },
    });
  }
  const { index } = frame;
  if (index >= items.length) return null;
  const prefix = `${id}[${index}]::`;
  const begun = frame.states.length > 0;
  const states = begun ? frame.states : [acceptInput(inner, items[index], `Item ${index} of ${id}`, prefix + inner.entry.name)];
  const name = inner.graph.plan_step ? stepNameOf(items[index]) : {};
  return { id, frame: { ...frame, states }, position: `${index}`, flow: inner, ...name, states: new StateMap(inner, states, prefix) };
}

function stepNameOf(item: unknown): Pick<Level, 'stepName'> {
  const { step } = item as { readonly step?: { readonly name?: unknown } };
  return typeof step?.name === 'string' ? { stepName: step.name } : {};
}

const noFrame: Frame = { index: 0, states: [], results: [] };

/** The frame of a called flow that begins. */
export function openedFrame(input: NamedState, call: CalledFlow): Frame {
  return { index: 0, states: [input], results: [], call };
}

/** Identifies a firing inside frames, of a node whose own firing is `outer`: each frame with the number of the transition in it. */
export function readyInside(outer: string, { levels }: FrameCursor): string {
  const tag = levels.reduce((around, { position, frame }) => `${around}-${position}-${frame.made ?? 0}`, outer);
  // Ids of calls begin with it, and some providers take no more than 40 characters.
  return tag.length <= longestTag ? tag : sha256(tag).slice(0, longestTag);
}

const longestTag = 24;

/** The innermost called flow around a cursor's node; undefined outside of called flows. */
export function callLevel(cursor: FrameCursor): Level | undefined {
  return cursor.levels.findLast(({ frame }) => frame.call);
}

/** A step at a cursor, as its frames see it. `counts`: it is a transition, and the run's rules count those. */
interface FramedStep {
  readonly cursor: FrameCursor;
  readonly seconds: number;
  readonly counts: boolean;
}

/**
 * The frames after a step at a cursor: with the states that it produced, or, without them, after a step that left its frame in progress.
 * An item that has finished adds its output to the results, and the step after begins the next one. A called flow that has finished keeps its
 * output until its caller collects it.
 */
export function framesAfter(frames: Frames, { cursor, seconds, counts }: FramedStep, produced?: readonly NamedState[]): Frames {
  const after: Record<string, Frame> = { ...frames };
  for (const { id, frame: before } of cursor.levels) {
    const frame = counts ? { ...before, made: (before.made ?? 0) + 1 } : before;
    if (frame.call) after[id] = { ...frame, call: { ...frame.call, seconds: frame.call.seconds + seconds } };
    else if (counts || !(frames[id]?.states.length ?? 0)) after[id] = frame;
  }
  const { id, states } = cursor.levels.at(-1) as Level;
  if (!produced) return after;
  const frame = after[id] as Frame;
  states.apply(cursor.plan, produced);
  const { done } = states;
  const { made: _made, ...ended } = frame;
  after[id] = done
    ? { ...ended, index: frame.index + 1, states: [], results: withResult(frame.results, done.value) }
    : { ...frame, states: states.list() };
  return after;
}

/** The frames after a step that failed the innermost called flow: it keeps its failure until its caller collects it. */
export function framesAfterFailure(frames: Frames, step: FramedStep, error: TransferableError): Frames {
  const after = framesAfter(frames, step);
  const { id } = callLevel(step.cursor) as Level;
  const { call } = after[id] as Frame;
  return { ...withoutInside(after, id), [id]: { index: 1, states: [], results: [], call: { ...(call as CalledFlow), error } } };
}

/** The entries of a record by node id, without those of nodes inside a frame. */
export function withoutInside<Value>(record: Readonly<Record<string, Value>>, frame: string): Readonly<Record<string, Value>> {
  const inside = Object.keys(record).filter((id) => id.startsWith(`${frame}::`));
  if (inside.length === 0) return record;
  return Object.fromEntries(Object.entries(record).filter(([id]) => !id.startsWith(`${frame}::`)));
}

/** The node with this id in a run of the flow, also one inside frames. */
export function nodeInside(flow: FlowPlan, id: string): NodePlan | undefined {
  const own = flow.nodes.get(id);
  if (own) return own;
  const end = id.indexOf(']::');
  const inner = end < 0 ? undefined : flowOfFrame(flow, id.slice(0, end + 1));
  return inner && nodeInside(inner, id.slice(end + 3));
}

/** The flow that runs in a frame with this name; undefined if the flow has no such frame. */
function flowOfFrame(flow: FlowPlan, name: string): FlowPlan | undefined {
  const frame = frameName(name);
  if (frame?.type === 'call') return flow.nodes.get(frame.caller)?.called(frame.flow, false);
  return (frame && flow.nodes.get(frame.each)?.each) ?? undefined;
}
