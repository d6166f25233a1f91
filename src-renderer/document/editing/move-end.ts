import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { isOpenSchema, mentions } from './states.ts';

/**
 * The edits that move the flow's output after an edit that moved its end: a node was added after it, or the last node
 * was removed. Empty if the flow could end in several states.
 */
export function followEnd(before: ReadableFlow, after: ReadableFlow): FlowEdit[] {
  const end = movedEnd(before, after);
  if (end === null) return [];
  const edits: FlowEdit[] = [{ type: 'set', path: ['output'], value: end }];
  const old = after.output;
  if (mentions(after, old) === 1 && Object.hasOwn(after.schemas, old) && isOpenSchema(after.schemas[old])) {
    edits.push({ type: 'remove', path: ['schemas', old] });
  }
  return edits;
}

/** True for edits that can move the end of a flow, unless they set the output themselves. */
export function mayMoveEnd(edits: readonly FlowEdit[]): boolean {
  const ends = edits.some((edit) => edit.type === 'set' && edit.path[0] === 'output');
  return !ends && edits.some((edit) => edit.type !== 'rename_state' && edit.path[0] === 'nodes' && changesStates(edit.path));
}

function changesStates(path: readonly (string | number)[]): boolean {
  return path.length < 3 || ['from', 'to', 'kind', 'flow'].includes(String(path[2]));
}

function movedEnd(before: ReadableFlow, after: ReadableFlow): string | null {
  const { output } = after;
  if (output === '' || isEnd(after, output)) return null;
  if (consumes(after, output)) {
    const end = onlyEndBehind(after);
    // If the output had the same error before, the edit did not cause it.
    return end !== null && !(consumes(before, before.output) && onlyEndBehind(before) === end) ? end : null;
  }
  const ends = endsOf(after);
  return isEnd(before, before.output) && ends.length === 1 ? (ends[0] as string) : null;
}

const produces = (flow: ReadableFlow, state: string) => flow.nodes.some((node) => node.to.includes(state));
const consumes = (flow: ReadableFlow, state: string) => flow.nodes.some((node) => node.from.includes(state));
const isEnd = (flow: ReadableFlow, state: string) => produces(flow, state) && !consumes(flow, state);

function endsOf(flow: ReadableFlow): string[] {
  const taken = new Set(flow.nodes.flatMap((node) => node.from));
  return [...new Set(flow.nodes.flatMap((node) => node.to))].filter((state) => !taken.has(state));
}

/** The only end that is reachable from the output, which a node consumes. */
function onlyEndBehind(flow: ReadableFlow): string | null {
  const reached = new Set([flow.output]);
  // Iterating a set also visits elements added during the iteration.
  for (const state of reached) for (const node of flow.nodes) if (node.from.includes(state)) for (const next of node.to) reached.add(next);
  const ends = endsOf(flow).filter((state) => reached.has(state));
  return ends.length === 1 ? (ends[0] as string) : null;
}
