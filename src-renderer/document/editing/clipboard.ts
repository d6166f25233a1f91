import { nodeAt, type ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import { nodeKinds } from '#shared/flow/document.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { canonicalText } from '#shared/flow/edit/format-flow.ts';
import { nodeIdOf } from '#shared/flow/graph.ts';
import { readOutline } from '#shared/flow/outline.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { freshState, openSchema, stateNames } from './states.ts';
import { texts } from './texts.ts';

/** Positions of nodes, by key. */
type Places = Readonly<Record<string, { readonly x: number; readonly y: number }>>;

/** Nodes with their schemas as readable text: a piece of a flow, which any editor, flow or window can take. */
export function copiedText(flow: ReadableFlow, indices: readonly number[]): string | null {
  const nodes = indices.flatMap((index) => nodeAt(flow, index) ?? []);
  if (nodes.length === 0) return null;
  const states = new Set(nodes.flatMap((node) => [...node.from, ...node.to]));
  const schemas = Object.fromEntries(Object.entries(flow.schemas).filter(([name]) => states.has(name)));
  return canonicalText({ schemas, nodes: nodes.map((node) => node.raw) }, 'yaml');
}

/** Plans pasting of copied nodes. States that are already consumed here get new names; wires between the copies are preserved. */
export function paste(flow: ReadableFlow, text: string, at: { readonly x: number; readonly y: number }): EditPlan {
  const value = parseFlow(text, 'clipboard.flow.yaml').root?.value;
  const pasted = isJsonObject(value) ? readOutline(value).nodes : undefined;
  if (!isJsonObject(value) || !pasted || pasted.length === 0 || !pasted.every((node) => nodeKinds.includes(node.kind))) {
    return refuse(texts.nothingToPaste);
  }
  const schemas: JsonObject = isJsonObject(value.schemas) ? value.schemas : {};
  const taken = stateNames(flow);
  const names = new Map<string, string>();
  for (const state of new Set(pasted.flatMap((node) => [...node.from, ...node.to]))) names.set(state, freshState(state, taken));

  const edits: FlowEdit[] = pasted.map((node, position) => ({
    type: 'insert',
    path: ['nodes', flow.length + position],
    value: { ...node.raw, ...renamedSide(node.raw, 'from', names), ...renamedSide(node.raw, 'to', names) },
  }));
  for (const [state, name] of names) edits.push({ type: 'set', path: ['schemas', name], value: schemas[state] ?? openSchema });
  const keys = pasted.map((node) => (node.kind === 'flow' ? node.id : nodeIdOf(node.from.map((state) => names.get(state) ?? state))));
  const places: Places = Object.fromEntries(keys.map((key, position) => [key, { x: at.x + 32 * position, y: at.y + 136 * position }]));
  return { ok: true, label: texts.pasteNodes(pasted.length), edits, places, select: keys };
}

/** One side of a node (`{ from: … }` or `{ to: … }`) with renamed states, or nothing if the node has no states there. */
export function renamedSide(raw: JsonObject, side: 'from' | 'to', names: ReadonlyMap<string, string>): JsonObject {
  const value = raw[side];
  const renamed = (state: Json): Json => (typeof state === 'string' ? (names.get(state) ?? state) : state);
  if (value === undefined) return {};
  return { [side]: Array.isArray(value) ? (value as readonly Json[]).map(renamed) : renamed(value) };
}
