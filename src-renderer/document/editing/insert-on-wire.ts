import { nodeAt, type ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { addNode, type NewNode } from './add-node.ts';
import { type Connection, portPath } from './connect.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { texts } from './texts.ts';

/**
 * Plans a node between the two ends of a wire: it consumes the wire's state, and the wire's target consumes what the node
 * produces first. That gets the same schema unless the node's own file says otherwise.
 */
export function insertOnWire(flow: ReadableFlow, wire: Connection, added: Omit<NewNode, 'consumes' | 'produces'>): EditPlan {
  const target = nodeAt(flow, wire.target);
  const state = target?.from[wire.target_port];
  if (!target || state === undefined) return refuse(texts.connect.nodeGone);
  if (target.kind === 'flow') return refuse(texts.insert.nestedTarget(state));
  const plan = addNode(flow, { ...added, consumes: state });
  if (!plan.ok) return plan;
  const { inner } = added;
  if (added.kind === 'flow') {
    const isNamed = inner && (inner.input === state || plan.edits.some((edit) => edit.type === 'rename_state' && edit.to === inner.input));
    if (!isNamed) return refuse(texts.insert.nestedNode(state, inner?.input ?? ''));
    return { ...plan, edits: [...plan.edits, { type: 'set', path: portPath(target, 'from', wire.target_port), value: inner.output }] };
  }
  const made = producedFirst(plan.edits);
  if (made === undefined) return refuse(texts.connect.nodeGone);
  const schema = flow.schemas[state];
  return {
    ...plan,
    edits: [
      ...plan.edits,
      ...(schema === undefined || added.kind === 'each' ? [] : [{ type: 'set', path: ['schemas', made], value: schema } as const]),
      { type: 'set', path: portPath(target, 'from', wire.target_port), value: made },
    ],
  };
}

function producedFirst(edits: readonly FlowEdit[]): string | undefined {
  const insert = edits.find((edit) => edit.type === 'insert');
  const to: Json | undefined = insert && isJsonObject(insert.value) ? insert.value.to : undefined;
  const first = Array.isArray(to) ? (to as readonly Json[])[0] : to;
  return typeof first === 'string' ? first : undefined;
}
