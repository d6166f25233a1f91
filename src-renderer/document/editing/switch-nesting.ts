import { nodeAt, type ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { type InnerFlow, listSchema } from './inner-flow.ts';
import { freshState, isOpenSchema, stateNames } from './states.ts';
import { texts } from './texts.ts';

/**
 * Plans to run a nested flow for each item of a list instead of once, or the reverse. Wires are preserved if possible:
 * states become lists, or items of the lists; a `flow` node has the states of its file, so outer states take their names.
 */
export function switchNesting(flow: ReadableFlow, index: number, inner: InnerFlow | null): EditPlan {
  const node = nodeAt(flow, index);
  if (!node || (node.kind !== 'flow' && node.kind !== 'each')) return refuse(texts.nesting.runsNoFlow);
  if (!inner) return refuse(texts.nesting.unreadable(String(node.raw.flow)));
  return node.kind === 'flow' ? toEach(flow, index, inner) : toOnce(flow, index, inner);
}

function toEach(flow: ReadableFlow, index: number, inner: InnerFlow): EditPlan {
  const taken = stateNames(flow);
  const node = nodeAt(flow, index);
  const [from = freshState('Items', taken)] = node?.from ?? [];
  const [to = freshState('Results', taken)] = node?.to ?? [];
  const path = ['nodes', index] as const;
  const edits: FlowEdit[] = [
    { type: 'set', path: [...path, 'kind'], value: 'each' },
    { type: 'set', path: [...path, 'from'], value: from },
    { type: 'set', path: [...path, 'to'], value: to },
    { type: 'set', path: ['schemas', from], value: listSchema(flow.schemas[from] ?? inner.schemas[inner.input]) },
    { type: 'set', path: ['schemas', to], value: listSchema(flow.schemas[to] ?? inner.schemas[inner.output]) },
  ];
  return { ok: true, label: texts.nesting.forEachItem, edits };
}

function toOnce(flow: ReadableFlow, index: number, inner: InnerFlow): EditPlan {
  const taken = stateNames(flow);
  const path = ['nodes', index] as const;
  const edits: FlowEdit[] = [
    { type: 'set', path: [...path, 'kind'], value: 'flow' },
    { type: 'remove', path: [...path, 'from'] },
    { type: 'remove', path: [...path, 'to'] },
  ];
  const node = nodeAt(flow, index);
  const ends = [
    [node?.from[0], inner.input],
    [node?.to[0], inner.output],
  ] as const;
  for (const [state, name] of ends) {
    if (state === undefined || (state !== name && taken.has(name))) continue;
    if (state !== name) edits.push({ type: 'rename_state', from: state, to: name });
    // The inner flow itself now describes the items of this list.
    if (isListOf(flow.schemas[state], inner.schemas[name])) edits.push({ type: 'remove', path: ['schemas', name] });
  }
  return { ok: true, label: texts.nesting.once, edits };
}

function isListOf(schema: Json | undefined, item: Json | undefined): boolean {
  if (!isJsonObject(schema) || schema.type !== 'array') return false;
  return schema.items === undefined || isOpenSchema(schema.items) || JSON.stringify(schema.items) === JSON.stringify(item);
}
