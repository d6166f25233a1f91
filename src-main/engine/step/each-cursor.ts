import type { NamedState } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';
import type { EachFrame } from '#shared/run/snapshot.ts';
import { acceptInput } from './accept-input.ts';
import { withResult } from './each-results.ts';
import type { FlowPlan, NodePlan } from './node-plan.ts';
import { StateMap } from './state-map.ts';

type Frames = Readonly<Record<string, EachFrame>>;

/** An item of an `each` node in progress. */
interface Level {
  /** The `each` node's id in the run. */
  readonly id: string;
  readonly frame: EachFrame;
  /** The item's own state map, made for this step from the frame. */
  readonly states: StateMap;
}

/** A node inside one or more `each` nodes, at the items that these are at. */
export interface EachCursor {
  /** The node's id in the run: `"{each}[{index}]::{node}"`. */
  readonly id: string;
  readonly plan: NodePlan;
  /** The innermost item's state map, which the node takes from and gives to. */
  readonly states: StateMap;
  /** Outermost first. */
  readonly levels: readonly Level[];
}

/**
 * Returns the cursor at which an `each` node that fires next continues: the node that fires next in its item, or in an item of that one.
 * Null when the node itself fires, since all its items have finished. With `opened`, items that have not begun are not entered.
 * Throws `Deadlock` for a stuck item, and `DeserializeError` for an item that does not fit the inner flow's input.
 */
export function resolveEach(outer: StateMap, each: NodePlan, frames: Frames, opened = false): EachCursor | null {
  const levels: Level[] = [];
  let cursor: EachCursor | null = null;
  let [plan, states, id] = [each, outer, each.node.id];
  while (plan.each && (!opened || Object.hasOwn(frames, id))) {
    const level = levelOf(id, plan, plan.each, states, frames[id]);
    if (!level) break;
    levels.push(level);
    const next = level.states.next;
    if (!next) throw level.states.deadlock();
    [plan, states, id] = [next, level.states, level.states.prefix + next.node.id];
    cursor = { id, plan, states, levels };
  }
  return cursor;
}

function levelOf(id: string, each: NodePlan, inner: FlowPlan, outer: StateMap, frame = noFrame): Level | null {
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
  return { id, frame: { ...frame, states }, states: new StateMap(inner, states, prefix) };
}

const noFrame: EachFrame = { index: 0, states: [], results: [] };

/**
 * The frames after a step at a cursor: with the states that it produced, or, without them, after a step that left its item in progress. An
 * item that has finished adds its output to the results, and the step after begins the next one.
 */
export function framesAfter(frames: Frames, cursor: EachCursor, produced?: readonly NamedState[]): Frames {
  const after: Record<string, EachFrame> = { ...frames };
  for (const { id, frame } of cursor.levels) if (!(frames[id]?.states.length ?? 0)) after[id] = frame;
  const { id, frame, states } = cursor.levels.at(-1) as Level;
  if (!produced) return after;
  states.apply(cursor.plan, produced);
  const { done } = states;
  after[id] = done
    ? { index: frame.index + 1, states: [], results: withResult(frame.results, done.value) }
    : { ...frame, states: states.list() };
  return after;
}

/** The node with this id in a run of the flow, also one inside an `each` node. */
export function nodeInside(flow: FlowPlan, id: string): NodePlan | undefined {
  const own = flow.nodes.get(id);
  if (own) return own;
  const [, each = '', inner = ''] = /^([^[]+)\[\d+\]::(.+)$/s.exec(id) ?? [];
  const plan = flow.nodes.get(each)?.each;
  return plan ? nodeInside(plan, inner) : undefined;
}

/** The `each` node and the item that a node's id in a run places it in; null for a node of the flow itself. */
export function enclosingItem(id: string): { readonly each: string; readonly index: number } | null {
  const [, each = '', index = ''] = /^(.*)\[(\d+)\]::/s.exec(id) ?? [];
  return each === '' ? null : { each, index: Number(index) };
}
