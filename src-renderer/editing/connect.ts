import { nodeAt, type ReadableFlow } from '#renderer/graph/readable-flow.ts';
import type { DocumentPath, FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { freshState, isOpenSchema, mentions, openSchema, stateNames } from './states.ts';

/** An output of one node and an input of another, by the nodes' positions in the flow. */
export interface Connection {
  readonly source: number;
  readonly source_port: number;
  readonly target: number;
  readonly target_port: number;
}

/**
 * Plans a wire. Equal names are connected, so one of the two states takes the other's name: an input that nobody has
 * fed or described takes the output's; otherwise the output takes the input's, and what stands behind it is left alone.
 */
export function connect(flow: ReadableFlow, connection: Connection): EditPlan {
  const source = nodeAt(flow, connection.source);
  const target = nodeAt(flow, connection.target);
  if (!source || !target) return refuse('One of the two nodes is no longer there.');
  const out = source.to[connection.source_port];
  const into = target.from[connection.target_port];
  if (out === undefined || into === undefined)
    return refuse('A nested flow’s states are named in its own file; rename the other end instead.');
  if (out === into) return refuse(`${out} is connected already.`);
  const why = whyNotConnected(flow, source, target, out, into);
  if (why) return refuse(why);

  const edits: FlowEdit[] = [];
  const fed = flow.nodes.some((node) => node.to.includes(into));
  const outIsTaken = flow.nodes.some((node) => node.from.includes(out));
  if (!fed && into !== flow.input && !outIsTaken && isOpenSchema(flow.schemas[into])) {
    edits.push({ type: 'set', path: portPath(target, 'from', connection.target_port), value: out });
    dropIfUnused(flow, into, edits);
    return { ok: true, label: `Connect ${out}`, edits };
  }
  edits.push({ type: 'set', path: portPath(source, 'to', connection.source_port), value: into });
  dropIfUnused(flow, out, edits);
  return { ok: true, label: `Connect ${into}`, edits };
}

/** Plans the removal of a wire: the output gets a name of its own, with the same schema; the input keeps its. */
export function disconnect(flow: ReadableFlow, connection: Connection): EditPlan {
  const source = nodeAt(flow, connection.source);
  const state = source?.to[connection.source_port];
  if (!source || state === undefined || source.kind === 'flow') {
    return refuse('A nested flow’s states are named in its own file; rename the other end instead.');
  }
  const name = freshState(state, stateNames(flow));
  return {
    ok: true,
    label: `Disconnect ${state}`,
    edits: [
      { type: 'set', path: portPath(source, 'to', connection.source_port), value: name },
      { type: 'set', path: ['schemas', name], value: flow.schemas[state] ?? openSchema },
    ],
  };
}

/** Why a wire from this output to this input cannot be, in a sentence; null when it can. */
export function whyNotConnected(flow: ReadableFlow, source: OutlineNode, target: OutlineNode, out: string, into: string): string | null {
  if (source === target && source.kind !== 'either') return `A ${source.kind} cannot produce the state that it consumes.`;
  if (source.kind === 'flow' || target.kind === 'flow') {
    return 'A nested flow’s states are named in its own file; rename the other end instead.';
  }
  const produced = source.to;
  if (source.kind === 'either' && produced.includes(into)) return `Both branches would be ${into}; an either needs two different ones.`;
  if (source.kind === 'fork' && produced.includes(into)) return `Two branches would be ${into}; a fork needs different ones.`;
  const given = jsonType(flow.schemas[out]);
  const wanted = jsonType(flow.schemas[into]);
  if (given !== null && wanted !== null && given !== wanted) return `${out} is ${article(given)}, ${into} is ${article(wanted)}.`;
  return null;
}

/** Path of the state's name at a port: `/nodes/2/to`, or `/nodes/2/to/1` where there are several. */
export function portPath(node: OutlineNode, side: 'from' | 'to', port: number): DocumentPath {
  const path = ['nodes', node.index, side];
  return Array.isArray(node.raw[side]) ? [...path, port] : path;
}

function dropIfUnused(flow: ReadableFlow, state: string, edits: FlowEdit[]): void {
  if (mentions(flow, state) === 1 && Object.hasOwn(flow.schemas, state) && isOpenSchema(flow.schemas[state])) {
    edits.push({ type: 'remove', path: ['schemas', state] });
  }
}

function jsonType(schema: Json | undefined): string | null {
  return isJsonObject(schema) && typeof schema.type === 'string' && !isOpenSchema(schema) ? schema.type : null;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
