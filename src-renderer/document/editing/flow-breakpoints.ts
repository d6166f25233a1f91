import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Supplied } from '#shared/contract/supplied.ts';

/** What is set at a node or state of a flow without being part of its text: a breakpoint, a pin, or a mock of a node's calls. */
export type FlowMark = Breakpoint | Supplied;

/** The breakpoints, pins and mocks of one flow, which undo restores like its text. */
export type FlowBreakpoints = readonly FlowMark[];

export function isSupplied(mark: FlowMark): mark is Supplied {
  return mark.kind === 'pin' || 'rules' in mark;
}

/** Returns the breakpoints of a flow after an edit: those at a renamed node or state follow it. */
export function carryBreakpoints(
  before: ReadableFlow | null,
  after: ReadableFlow | null,
  path: string,
  breakpoints: FlowBreakpoints,
): FlowBreakpoints {
  if (!before || !after || before === after || breakpoints.length === 0) return breakpoints;
  const nodes = renamedNodes(before, after);
  const states = renamedStates(before, after);
  if (nodes.size === 0 && states.size === 0) return breakpoints;
  const carried = breakpoints.map((breakpoint) => follow(breakpoint, path, nodes, states));
  return carried.some((breakpoint, index) => breakpoint !== breakpoints[index]) ? carried : breakpoints;
}

type Renamed = ReadonlyMap<string, string>;

function follow(mark: FlowMark, path: string, nodes: Renamed, states: Renamed): FlowMark {
  const node = 'node' in mark && mark.node !== undefined ? nodes.get(mark.node) : undefined;
  const state = 'state' in mark ? states.get(mark.state) : undefined;
  const branch = 'branch' in mark && mark.branch !== undefined ? states.get(mark.branch) : undefined;
  const inside = 'in' in mark && mark.in?.startsWith(`${path}#`) ? nodes.get(mark.in.slice(path.length + 1)) : undefined;
  if (node === undefined && state === undefined && branch === undefined && inside === undefined) return mark;
  return {
    ...mark,
    ...(node !== undefined && { node }),
    ...(state !== undefined && { state }),
    ...(branch !== undefined && { branch }),
    ...(inside && { in: `${path}#${inside}` }),
  } as FlowMark;
}

/** A renamed node stays where it is in the document, with its kind. */
function renamedNodes(before: ReadableFlow, after: ReadableFlow): Renamed {
  const renamed = new Map<string, string>();
  if (before.nodes.length !== after.nodes.length) return renamed;
  const known = new Set(before.nodes.map(({ id }) => id));
  const remaining = new Set(after.nodes.map(({ id }) => id));
  for (const [index, node] of after.nodes.entries()) {
    const old = before.nodes[index];
    if (old && old.kind === node.kind && !remaining.has(old.id) && !known.has(node.id)) renamed.set(old.id, node.id);
  }
  return renamed;
}

/** One name gone and one new is a renamed state. */
function renamedStates(before: ReadableFlow, after: ReadableFlow): Renamed {
  const [known, remaining] = [statesOf(before), statesOf(after)];
  const gone = [...known].filter((name) => !remaining.has(name));
  const added = [...remaining].filter((name) => !known.has(name));
  return gone.length === 1 && added.length === 1 ? new Map([[gone[0] as string, added[0] as string]]) : new Map();
}

function statesOf({ schemas, nodes }: ReadableFlow): Set<string> {
  return new Set([...Object.keys(schemas), ...nodes.flatMap(({ from, to }) => [...from, ...to])]);
}

/** Applies the change from `base` to `changed` to `current`. Where both change a breakpoint, `changed` wins. */
export function mergeBreakpoints(base: FlowBreakpoints, changed: FlowBreakpoints, current: FlowBreakpoints): FlowBreakpoints {
  const [was, is] = [byId(base), byId(changed)];
  const kept = current.flatMap((breakpoint) => {
    const [before, after] = [was.get(breakpoint.id), is.get(breakpoint.id)];
    if (!before || (after && sameBreakpoint(before, after))) return [breakpoint];
    return after ? [after] : [];
  });
  const known = byId(current);
  return [...kept, ...changed.filter(({ id }) => !known.has(id) && !was.has(id))];
}

/** What to store and to remove so that one list becomes the other. */
export function breakpointChanges(from: FlowBreakpoints, to: FlowBreakpoints): { readonly put: FlowMark[]; readonly remove: string[] } {
  const [before, after] = [byId(from), byId(to)];
  return {
    put: to.filter((breakpoint) => {
      const known = before.get(breakpoint.id);
      return !known || !sameBreakpoint(known, breakpoint);
    }),
    remove: from.filter(({ id }) => !after.has(id)).map(({ id }) => id),
  };
}

/** Whether two lists mean the same, whatever their nodes look like now. */
export function sameBreakpoints(some: FlowBreakpoints, others: FlowBreakpoints): boolean {
  const { put, remove } = breakpointChanges(some, others);
  return put.length === 0 && remove.length === 0;
}

function sameBreakpoint(one: FlowMark, other: FlowMark): boolean {
  return textOf(one) === textOf(other);
}

function textOf(breakpoint: FlowMark): string {
  const entries = Object.entries(breakpoint).filter(([key, value]) => key !== 'anchor' && value !== undefined);
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function byId(breakpoints: FlowBreakpoints): Map<string, FlowMark> {
  return new Map(breakpoints.map((breakpoint) => [breakpoint.id, breakpoint]));
}
