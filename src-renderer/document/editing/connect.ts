import type { GraphView } from '#renderer/document/graph/graph-view.ts';
import { nodeAt, type ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { DocumentPath, FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { kindFacts } from '#shared/flow/node-kinds.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { freshState, isOpenSchema, mentions, openSchema, stateNames } from './states.ts';
import { texts } from './texts.ts';

/** An output of one node and an input of another, by the nodes' positions in the flow. */
export interface Connection {
  readonly source: number;
  readonly source_port: number;
  readonly target: number;
  readonly target_port: number;
}

/**
 * Plans a wire. Equal names are connected, so one of the two states takes the other's name: an input without producer
 * and schema takes the output's name; otherwise the output takes the input's, and the nodes after it are not changed.
 */
export function connect(flow: ReadableFlow, connection: Connection): EditPlan {
  const source = nodeAt(flow, connection.source);
  const target = nodeAt(flow, connection.target);
  if (!source || !target) return refuse(texts.connect.nodeGone);
  const out = source.to[connection.source_port];
  const into = target.from[connection.target_port];
  if (out === undefined || into === undefined) return refuse(texts.connect.nestedStates);
  if (out === into) return refuse(texts.connect.alreadyConnected(out));
  const why = whyNotConnected(flow, source, target, out, into);
  if (why) return refuse(why);

  const edits: FlowEdit[] = [];
  const fed = flow.nodes.some((node) => node.to.includes(into));
  const outIsTaken = flow.nodes.some((node) => node.from.includes(out));
  if (!fed && into !== flow.input && !outIsTaken && isOpenSchema(flow.schemas[into])) {
    edits.push({ type: 'set', path: portPath(target, 'from', connection.target_port), value: out });
    dropIfUnused(flow, into, edits);
    return { ok: true, label: texts.connect.label(out), edits };
  }
  edits.push({ type: 'set', path: portPath(source, 'to', connection.source_port), value: into });
  dropIfUnused(flow, out, edits);
  return { ok: true, label: texts.connect.label(into), edits };
}

/** The two ends of a wire, by the positions of its nodes in the document; undefined if there is no such wire. */
export function connectionOfWire({ nodes, wires }: GraphView, key: string): Connection | undefined {
  const wire = wires.find((candidate) => candidate.key === key);
  const source = nodes.find((node) => node.key === wire?.source)?.index;
  const target = nodes.find((node) => node.key === wire?.target)?.index;
  if (!wire || source === undefined || target === undefined) return undefined;
  return { source, source_port: wire.source_port, target, target_port: wire.target_port };
}

/** Plans the removal of a wire: the output gets a new name with the same schema; the input keeps its name. */
export function disconnect(flow: ReadableFlow, connection: Connection): EditPlan {
  const source = nodeAt(flow, connection.source);
  const state = source?.to[connection.source_port];
  if (!source || state === undefined || source.kind === 'flow') {
    return refuse(texts.connect.nestedStates);
  }
  const name = freshState(state, stateNames(flow));
  return {
    ok: true,
    label: texts.connect.disconnect(state),
    edits: [
      { type: 'set', path: portPath(source, 'to', connection.source_port), value: name },
      { type: 'set', path: ['schemas', name], value: flow.schemas[state] ?? openSchema },
    ],
  };
}

/** Why this output and this input cannot be connected, as a sentence, or null if they can. */
export function whyNotConnected(flow: ReadableFlow, source: OutlineNode, target: OutlineNode, out: string, into: string): string | null {
  if (source === target && kindFacts[source.kind].outputs !== 'branch') return texts.connect.ownState;
  if (source.kind === 'flow' || target.kind === 'flow') {
    return texts.connect.nestedStates;
  }
  const produced = source.to;
  if (kindFacts[source.kind].outputs === 'branch' && produced.includes(into)) return texts.connect.sameBranch(into);
  if (kindFacts[source.kind].outputs === 'all' && produced.includes(into)) return texts.connect.sameOutput(into);
  const outputType = jsonType(flow.schemas[out]);
  const inputType = jsonType(flow.schemas[into]);
  if (outputType !== null && inputType !== null && outputType !== inputType)
    return texts.connect.differentTypes(out, outputType, into, inputType);
  return null;
}

/** Path of the state's name at a port: `/nodes/2/to`, or `/nodes/2/to/1` in a list. */
export function portPath(node: OutlineNode, side: 'from' | 'to', port: number): DocumentPath {
  const path = ['nodes', node.index, side];
  return Array.isArray(node.raw[side]) ? [...path, port] : path;
}

/** Removes the open schema of a state that is mentioned only once. */
export function dropIfUnused(flow: ReadableFlow, state: string, edits: FlowEdit[]): void {
  if (mentions(flow, state) === 1 && Object.hasOwn(flow.schemas, state) && isOpenSchema(flow.schemas[state])) {
    edits.push({ type: 'remove', path: ['schemas', state] });
  }
}

function jsonType(schema: Json | undefined): string | null {
  return isJsonObject(schema) && typeof schema.type === 'string' && !isOpenSchema(schema) ? schema.type : null;
}
