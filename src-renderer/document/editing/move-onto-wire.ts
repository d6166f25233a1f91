import type { NodeView, PortView } from '#renderer/document/graph/graph-view.ts';
import { nodeAt, type ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { schemaFit } from '#shared/flow/schema-fit.ts';
import type { Json } from '#shared/json.ts';
import { type Connection, dropIfUnused, portPath } from './connect.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { isOpenSchema } from './states.ts';
import { texts } from './texts.ts';

/** Whether a node has no wires, and the flow neither starts nor ends there. */
export function isLoose({ inputs, outputs }: NodeView): boolean {
  const isFree = (ports: readonly PortView[]) =>
    ports.length > 0 && ports.every(({ open, entry, terminal }) => open && !entry && !terminal);
  return isFree(inputs) && isFree(outputs);
}

/**
 * Plans to put a node without wires between the two ends of a wire. The wire's source produces what the node consumes, and the node
 * produces the wire's state, so that neither the node nor the wire's target gets another key. Of several inputs or outputs, the first
 * that fit are connected.
 */
export function moveOntoWire(flow: ReadableFlow, wire: Connection, at: number): EditPlan {
  const [source, target, node] = [nodeAt(flow, wire.source), nodeAt(flow, wire.target), nodeAt(flow, at)];
  const state = target?.from[wire.target_port];
  if (!source || !target || !node || state === undefined) return refuse(texts.connect.nodeGone);
  if (node.kind === 'flow') return refuse(texts.insert.nestedNode(state, node.from[0] ?? ''));
  if (source.kind === 'flow') return refuse(texts.insert.nestedSource(state));
  const schema = flow.schemas[state] ?? true;
  const input = fitting(node.from, (into) => whyUnfit(state, schema, into, flow.schemas[into] ?? true));
  const output = fitting(node.to, (out) =>
    isOpenSchema(flow.schemas[out]) ? null : whyUnfit(out, flow.schemas[out] ?? true, state, schema),
  );
  if (input.found === undefined) return refuse(input.why);
  if (output.found === undefined) return refuse(output.why);
  const [into, out] = [input.found, output.found];
  const edits: FlowEdit[] = [
    { type: 'set', path: portPath(source, 'to', wire.source_port), value: into },
    { type: 'set', path: portPath(node, 'to', node.to.indexOf(out)), value: state },
  ];
  if (isOpenSchema(flow.schemas[into])) edits.push({ type: 'set', path: ['schemas', into], value: schema });
  dropIfUnused(flow, out, edits);
  return { ok: true, label: texts.insert.label(state), edits };
}

/** Why no value of one state fits another, as a sentence, or null if some may. */
function whyUnfit(from: string, produced: Json, to: string, accepted: Json): string | null {
  const { fit, reason } = schemaFit(produced, accepted);
  return fit === 'none' ? texts.insert.unfit(from, to, reason ?? '') : null;
}

/** The first of these states for which there is no reason against it, else the first reason. */
function fitting(states: readonly string[], whyNot: (state: string) => string | null) {
  const reasons = states.map(whyNot);
  return { found: states[reasons.indexOf(null)], why: reasons[0] ?? texts.connect.nodeGone };
}
