import type { NodeTally } from '#shared/contract/node-tally.ts';
import type { StateAt } from '#shared/contract/runs.ts';
import { callFrameKey, frameName } from '#shared/run/node-id.ts';
import type { KnownRecord, RunView } from './run-fold.ts';
import type { RunMarks } from './run-marks.ts';
import { marksAt, type Tallies, type Viewpoint } from './run-marks-at.ts';
import type { OuterStep, RunSubject } from './run-subject.ts';

/** The path from a run's flow to the shown one, empty when they are the same; null when the shown flow is not part of the run's. */
export function wayInto(view: Pick<RunView, 'flow_path'>, subject: RunSubject | null): readonly OuterStep[] | null {
  if (!subject) return null;
  if (subject.path === view.flow_path) return [];
  const start = subject.within?.findIndex(({ flow }) => flow.path === view.flow_path) ?? -1;
  return start < 0 ? null : (subject.within?.slice(start) ?? null);
}

/** True for two subjects with the same path. */
export function sameWay(one: RunSubject | null, other: RunSubject | null): boolean {
  const [a = [], b = []] = [one?.within, other?.within];
  return (
    a.length === b.length &&
    a.every(({ flow, node, input }, index) => flow.path === b[index]?.flow.path && node === b[index].node && input === b[index].input)
  );
}

/** The item of an `each` node that the shown flow belongs to. `number` counts from 1. */
export interface ShownItem {
  /** The `each` node's id in the run. */
  readonly each: string;
  /** The state with which its items begin. */
  readonly input: string;
  readonly number: number;
  readonly of: number | null;
}

/** The frame that contains the shown flow. */
interface ShownFrame {
  /** Its key among the frames in progress. */
  readonly node: string;
  readonly index: number;
  /** What ids of its nodes begin with. */
  readonly prefix: string;
}

/** How the run's names and those of the shown nested flow translate into each other. */
interface Names {
  /** The name in the run of a state or node of the shown flow. */
  readonly inRun: (name: string) => string;
  /** The name in the shown flow of a state or node of the run; null for what is not inside. */
  readonly own: (name: string) => string | null;
  /** One for each `each` node on the path, the outermost first. */
  readonly items: readonly ShownItem[];
  /** The innermost item or called flow. */
  readonly frame: ShownFrame | null;
}

/**
 * What the canvas shows of a run inside one of its nested flows. For an `each` node, that is the item in progress, else the last one; likewise for calls. `counted`
 * replaces the statistics, by ids in the run.
 */
export function marksInside(view: RunView, viewpoint: Viewpoint, way: readonly OuterStep[], counted: Tallies | null = null): RunMarks {
  const names = namesInside(view, viewpoint, way);
  const state = viewpoint === 'now' ? view.current : viewpoint.state;
  const inside: StateAt | null = state && stateInside(state, names, view, viewpoint, counted);
  if (viewpoint !== 'now') return marksAt(view, { seq: viewpoint.seq, state: inside });
  const ownId = (id: string | null | undefined) => (id == null ? null : names.own(id));
  const activity = ownId(view.activity?.node);
  const failed = ownId(view.error?.node);
  return marksAt(
    {
      ...view,
      current: inside ?? view.current,
      tallies: inside?.tallies ?? {},
      waiting: names.frame ? (inside?.states ?? []) : ownStates(view.waiting, names),
      activity: view.activity && activity !== null ? { ...view.activity, node: activity } : null,
      ahead: Object.fromEntries(
        Object.entries(view.ahead).flatMap(([id, step]) => {
          const node = names.own(id);
          return node === null ? [] : [[node, { ...step, node }]];
        }),
      ),
      suspensions: view.suspensions.flatMap((suspension) => {
        const node = names.own(suspension.node);
        return node === null ? [] : [{ ...suspension, node }];
      }),
      error: view.error && { ...view.error, node: failed },
    },
    'now',
  );
}

/** The items that the shown nested flow belongs to, one for each `each` node on the way to it. */
export function shownItems(view: RunView, viewpoint: Viewpoint, way: readonly OuterStep[]): readonly ShownItem[] {
  return namesInside(view, viewpoint, way).items;
}

/** The id in the run of a node of the shown flow, in the item that is shown. */
export function nodeInRun(view: RunView, viewpoint: Viewpoint, way: readonly OuterStep[], id: string): string {
  const { inRun, frame } = namesInside(view, viewpoint, way);
  const prefix = frame?.prefix ?? '';
  // Inside a frame only the first state of a join has the prefix.
  return id
    .split('+')
    .map((name, index) => (index === 0 ? inRun(name) : inRun(name).slice(prefix.length)))
    .join('+');
}

/** A function that names nodes and states of the run as the shown flow does; null for those outside of it. */
export function ownNames(view: RunView, viewpoint: Viewpoint, way: readonly OuterStep[]): (name: string) => string | null {
  return namesInside(view, viewpoint, way).own;
}

/** A state of the shown flow as the run names it, with the item or called flow that contains it. */
export function stateInRun(
  view: RunView,
  viewpoint: Viewpoint,
  way: readonly OuterStep[],
  state: string,
): { readonly state: string; readonly item?: string } {
  const { inRun, frame } = namesInside(view, viewpoint, way);
  const prefix = frame?.prefix ?? '';
  return { state: inRun(state).slice(prefix.length), ...(prefix !== '' && { item: prefix.slice(0, -2) }) };
}

function namesInside(view: RunView, viewpoint: Viewpoint, way: readonly OuterStep[]): Names {
  let names: Names = { inRun: (name) => name, own: (name) => name, items: [], frame: null };
  for (const step of way) {
    if (step.kind === 'flow') names = throughFlow(names, step);
    else names = step.kind === 'each' ? throughEach(names, step, view, viewpoint) : throughCall(names, step, view, viewpoint);
  }
  return names;
}

/** A nested flow shares its input and output with the flow around it; its other names have its input's name as prefix. */
function throughFlow({ inRun, own, items, frame }: Names, { input, output }: OuterStep): Names {
  const isShared = (name: string) => name === input || name === output;
  const strip = (name: string): string | null => {
    // An agent that takes the flow's input may call flows.
    if (name.startsWith(`${input}::flow:`)) return name;
    if (name.startsWith(`${input}::`)) return name.slice(input.length + 2);
    return isShared(name.replace(/\[.*$/, '')) ? name : null;
  };
  return {
    inRun: (name) => inRun(isShared(name) ? name : `${input}::${name}`),
    own: (id) => {
      const outside = own(id);
      // The name of a join contains both of its states; inside an item only the first has the prefix.
      const parts = outside === null ? [] : outside.includes('[') ? [outside] : outside.split('+');
      const inside = parts.map(strip);
      return inside.length === 0 || inside.includes(null) ? null : inside.join('+');
    },
    items,
    frame,
  };
}

function throughEach({ inRun, own, items }: Names, step: OuterStep, view: RunView, viewpoint: Viewpoint): Names {
  const node = inRun(step.node);
  const { index, of } = itemAt(node, view, viewpoint);
  const prefix = `${node}[${index}]::`;
  return {
    inRun: (name) => `${prefix}${name}`,
    own: (id) => (own(id) !== null && id.startsWith(prefix) ? id.slice(prefix.length) : null),
    items: [...items, { each: node, input: step.input, number: index + 1, of }],
    frame: { node, index, prefix },
  };
}

/** The flow that an agent calls: its call in progress at that step, else the last one. */
function throughCall({ inRun, own, items }: Names, { node, tool = '' }: OuterStep, view: RunView, viewpoint: Viewpoint): Names {
  const caller = inRun(node);
  const { seq, state } = standing(view, viewpoint);
  const isOf = (id: string) => {
    const name = frameName(id.slice(0, id.indexOf(']', caller.length) + 1));
    return name?.type === 'call' && name.caller === caller && name.flow === tool;
  };
  // A step of the past is shown in its own call, also where that has just ended.
  const past = viewpoint === 'now' ? null : state?.node;
  const open = state?.items.find(({ node: key, index, call }) => call && index === 0 && isOf(key))?.node;
  const none = callFrameKey(caller, tool, '');
  const ran = () => lastRecord(view, none.slice(0, -1), seq)?.node;
  const shown = (past && isOf(past) ? past : undefined) ?? open ?? ran() ?? none;
  const key = shown.slice(0, shown.indexOf(']', caller.length) + 1);
  const prefix = `${key}::`;
  return {
    inRun: (name) => `${prefix}${name}`,
    own: (id) => (own(id) !== null && id.startsWith(prefix) ? id.slice(prefix.length) : null),
    items,
    frame: { node: key, index: 0, prefix },
  };
}

function standing(view: RunView, viewpoint: Viewpoint): { readonly seq: number; readonly state: StateAt | null | undefined } {
  return viewpoint === 'now' ? { seq: view.seq, state: view.current } : viewpoint;
}

/** The item of an `each` node in progress at that step, else the last one. */
function itemAt(node: string, view: RunView, viewpoint: Viewpoint): { index: number; of: number | null } {
  const { seq, state } = standing(view, viewpoint);
  const progress = state?.items.find((item) => item.node === node);
  // A step of the past is shown in its own item, also where that has just ended.
  const past = viewpoint !== 'now' && state?.node?.startsWith(`${node}[`) ? indexIn(state.node, node) : null;
  if (past !== null && progress) return { index: past, of: progress.of };
  if (progress)
    return { index: progress.of === null ? progress.index : Math.min(progress.index, Math.max(0, progress.of - 1)), of: progress.of };
  const last = lastRecord(view, `${node}[`, seq);
  const index = last ? indexIn(last.node, node) : 0;
  return { index, of: last ? index + 1 : null };
}

/** The last record up to `seq` of a node whose id begins with a text; null for none. A question that the records at hand don't answer is noted. */
function lastRecord(view: RunView, begins_with: string, seq: number): { readonly seq: number; readonly node: string } | null {
  const row = view.timeline.findLast((entry) => entry.seq <= seq && entry.node.startsWith(begins_with));
  if (row || (view.timeline[0]?.seq ?? 1) <= 1) return row ?? null;
  const known = view.known.find((each) => each.begins_with === begins_with && isAnswer(each, view, seq));
  if (!known) openQuestion = { begins_with, to_seq: seq };
  return known?.record ?? null;
}

/** True if the record that is known of an earlier or later step is also the last one up to `seq`. */
function isAnswer({ to_seq, record }: KnownRecord, view: RunView, seq: number): boolean {
  if (seq <= to_seq) return seq >= (record?.seq ?? 0);
  return (view.timeline[0]?.seq ?? 0) <= to_seq + 1;
}

/** Set while names are found. */
let openQuestion: Omit<KnownRecord, 'record'> | null = null;

/** What must be read to know which item or called flow the shown flow belongs to; null if that is known. */
export function missingRecord(view: RunView, viewpoint: Viewpoint, way: readonly OuterStep[]): Omit<KnownRecord, 'record'> | null {
  openQuestion = null;
  namesInside(view, viewpoint, way);
  return openQuestion;
}

/** The frame of the innermost item or called flow that the shown flow belongs to (`Items[1]`); null outside of frames. */
export function shownFrame(view: RunView, viewpoint: Viewpoint, way: readonly OuterStep[]): string | null {
  return namesInside(view, viewpoint, way).frame?.prefix.slice(0, -2) ?? null;
}

/** The index of the item of an `each` node that contains a node. */
function indexIn(id: string, each: string): number {
  return Number(/^\d+/.exec(id.slice(each.length + 1))?.[0] ?? 0);
}

function stateInside(state: StateAt, names: Names, view: RunView, viewpoint: Viewpoint, counted: Tallies | null): StateAt {
  const seq = viewpoint === 'now' ? view.seq : viewpoint.seq;
  const { frame } = names;
  const progress = frame && state.items.find(({ node, index }) => node === frame.node && index === frame.index);
  const last = view.timeline.find((entry) => entry.seq === state.seq)?.node ?? state.node;
  const fresh = last !== null && names.own(last) !== null;
  const states = frame
    ? (progress?.states ?? []).map((entry) => ({
        ...entry,
        name: `${frame.prefix}${entry.name}`,
        written_at: fresh ? state.seq : 0,
        written_by: '',
      }))
    : state.states;
  const next = frame ? (progress?.next ?? null) : state.next;
  return {
    ...state,
    states: ownStates(states, names),
    consumed: [],
    next: next === null ? null : names.own(next),
    tallies:
      !counted && frame
        ? talliesOfItem(view, names, seq)
        : ownTallies(counted ?? (viewpoint === 'now' ? view.tallies : state.tallies), names),
    items: [],
  };
}

/** The states inside, by their own names. */
function ownStates<State extends { readonly name: string }>(states: readonly State[], { own }: Names): State[] {
  return states.flatMap((entry) => {
    const name = own(entry.name);
    return name === null ? [] : [{ ...entry, name }];
  });
}

/** Statistics of the nodes inside, by their own ids. */
function ownTallies(tallies: Tallies, { own }: Names): Record<string, NodeTally> {
  return Object.fromEntries(
    Object.entries(tallies).flatMap(([id, tally]) => {
      const node = own(id);
      return node === null ? [] : [[node, tally]];
    }),
  );
}

/** Statistics of the nodes inside an item, from the loaded rows of the timeline. */
function talliesOfItem(view: RunView, names: Names, seq: number): Record<string, NodeTally> {
  const tallies: Record<string, NodeTally> = {};
  for (const { seq: at, node: id, type, phase, tokens, duration_ms } of view.timeline) {
    const node = at <= seq && type === 'transition' ? names.own(id) : null;
    if (node === null) continue;
    const { count, turns, ...sums } = tallies[node] ?? { count: 0, turns: 0, tokens: 0, duration_ms: 0 };
    tallies[node] = {
      count: count + (phase ? 0 : 1),
      turns: turns + (phase === 'reason' ? 1 : 0),
      tokens: sums.tokens + tokens,
      duration_ms: sums.duration_ms + duration_ms,
    };
  }
  return tallies;
}
