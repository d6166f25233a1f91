import { uniqueKeys } from '#renderer/document/graph/graph-view.ts';
import { nodeAt, type ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import { nodeKinds } from '#shared/flow/document.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { canonicalText } from '#shared/flow/edit/format-flow.ts';
import { type Layout, type LayoutGroup, type LayoutNote, layoutSchema } from '#shared/flow/layout/layout.ts';
import { readOutline } from '#shared/flow/outline.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { isJsonObject, type Json, type JsonObject, toJson } from '#shared/json.ts';
import { type AddedDrawing, type EditPlan, type Point, refuse } from './edit-plan.ts';
import { freshState, openSchema, stateNames } from './states.ts';
import { texts } from './texts.ts';

/** What is drawn of a flow besides its text. */
export interface Drawing {
  /** Positions of nodes, by key. */
  readonly positions: Layout['nodes'];
  readonly notes?: readonly LayoutNote[];
  readonly groups?: readonly LayoutGroup[];
}

/**
 * Nodes with their schemas, positions, notes and groups as readable text: a piece of a flow, which any editor, flow or window can take.
 * `keys` are those of the nodes on the canvas. Groups are those whose nodes are all copied. Null if there is nothing to copy.
 */
export function copiedText(flow: ReadableFlow, indices: readonly number[], keys: readonly string[] = [], drawing?: Drawing): string | null {
  const nodes = indices.flatMap((index) => nodeAt(flow, index) ?? []);
  if (nodes.length === 0 && !drawing?.notes?.length) return null;
  const states = new Set(nodes.flatMap((node) => [...node.from, ...node.to]));
  const schemas = Object.fromEntries(Object.entries(flow.schemas).filter(([name]) => states.has(name)));
  const raw = nodes.map((node) => node.raw);
  const piece: JsonObject = nodes.length === 0 ? {} : { schemas, nodes: raw };
  return canonicalText(drawing ? { ...piece, layout: copiedLayout(raw, keys, drawing) } : piece, 'yaml');
}

/** The layout of copied nodes, by the keys that they have in a flow of their own. */
function copiedLayout(raw: readonly JsonObject[], keys: readonly string[], { positions, notes = [], groups = [] }: Drawing): JsonObject {
  const own = uniqueKeys(readOutline({ nodes: [...raw] }).nodes ?? []);
  const nameOf = new Map(keys.map((key, at) => [key, own[at] ?? key]));
  const places = keys.flatMap((key) => (positions[key] ? [[nameOf.get(key) ?? key, positions[key]] as const] : []));
  const whole = groups.filter((group) => group.nodes.every((key) => nameOf.has(key)));
  return {
    nodes: toJson(Object.fromEntries(places)),
    ...(notes.length > 0 && { notes: toJson(notes) }),
    ...(whole.length > 0 && {
      groups: toJson(whole.map((group) => ({ ...group, nodes: group.nodes.map((key) => nameOf.get(key) ?? key) }))),
    }),
  };
}

/** Where pasted nodes, notes and groups go: `at` is the upper left corner of all of them. `freshId` makes the ids of notes and groups. */
interface PasteAt {
  readonly at: Point;
  freshId(prefix: string): string;
}

/**
 * Plans pasting of copied nodes, notes and groups. States that are already consumed here get new names; wires between the copies and
 * their relative places are preserved.
 */
export function paste(flow: ReadableFlow, text: string, { at, freshId }: PasteAt): EditPlan {
  const value = parseFlow(text, 'clipboard.flow.yaml').root?.value;
  const pasted = isJsonObject(value) ? (readOutline(value).nodes ?? []) : [];
  const layout = isJsonObject(value) ? layoutIn(value.layout) : null;
  const isEmpty = pasted.length === 0 && !layout?.notes?.length;
  if (!isJsonObject(value) || isEmpty || !pasted.every((node) => nodeKinds.includes(node.kind))) return refuse(texts.nothingToPaste);
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
  const added = addedDrawing(uniqueKeys(pasted), layout, { first: flow.length, at, freshId });
  return { ok: true, label: texts.paste(pasted.length, added.notes.length), edits, added };
}

/** Puts a copied layout at a point; nodes that it does not name go below each other. */
function addedDrawing(
  keys: readonly string[],
  layout: Layout | null,
  { first, at, freshId }: PasteAt & { readonly first: number },
): AddedDrawing {
  const { nodes: places = {}, notes = [], groups = [] } = layout ?? {};
  const drawn: readonly Point[] = [...keys.flatMap((key) => places[key] ?? []), ...notes];
  const [left, top] = [Math.min(...drawn.map(({ x }) => x)), Math.min(...drawn.map(({ y }) => y))];
  const moved = ({ x, y }: Point): Point => ({ x: Math.round(at.x + x - left), y: Math.round(at.y + y - top) });
  const indexOf = new Map(keys.map((key, position) => [key, first + position]));
  return {
    nodes: keys.map((key, position) => {
      const place = places[key];
      return { index: first + position, place: place ? moved(place) : { x: at.x + 32 * position, y: at.y + 136 * position } };
    }),
    notes: notes.map((note) => ({ ...note, ...moved(note), id: freshId('n') })),
    groups: groups.map(({ nodes, ...group }) => ({ ...group, id: freshId('g'), indices: nodes.flatMap((key) => indexOf.get(key) ?? []) })),
  };
}

/** The layout in a copied text; null if there is none that can be read. */
function layoutIn(value: Json | undefined): Layout | null {
  const read = isJsonObject(value) ? layoutSchema.safeParse({ ...value, pravah_layout: 2 }) : null;
  return read?.success ? read.data : null;
}

/** One side of a node (`{ from: … }` or `{ to: … }`) with renamed states, or nothing if the node has no states there. */
export function renamedSide(raw: JsonObject, side: 'from' | 'to', names: ReadonlyMap<string, string>): JsonObject {
  const value = raw[side];
  const renamed = (state: Json): Json => (typeof state === 'string' ? (names.get(state) ?? state) : state);
  if (value === undefined) return {};
  return { [side]: Array.isArray(value) ? (value as readonly Json[]).map(renamed) : renamed(value) };
}
