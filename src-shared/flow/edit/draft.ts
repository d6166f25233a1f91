import { keyOrder, placeOfKey } from '#shared/flow/key-order.ts';
import { objectOf, type SourceArray, type SourceNode, type SourceObject } from '#shared/flow/source/source-tree.ts';
import { isJsonObject, type Json, jsonPointer } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { DocumentPath, FlowEdit } from './flow-edit.ts';

/**
 * A document while it is edited: unchanged parts of the text, new values, and the objects and lists in between, whose children know
 * which entry of the text they come from. Edits change it in place; the text's patches are derived from the finished draft.
 */
export type Draft =
  | { readonly type: 'kept'; readonly node: SourceNode; readonly shift: number }
  | { readonly type: 'fresh'; readonly value: Json }
  | DraftObject
  | DraftArray;

export interface DraftChild {
  /** Index of the entry or item in `source`; undefined for a new one. */
  readonly origin?: number;
  key: string;
  draft: Draft;
}

export interface DraftObject {
  readonly type: 'object';
  readonly source: SourceObject | null;
  readonly shift: number;
  readonly children: DraftChild[];
}

export interface DraftArray {
  readonly type: 'array';
  readonly source: SourceArray | null;
  readonly shift: number;
  readonly children: DraftChild[];
}

/** The draft of a document with edits applied in order. Throws `FlowError` `Invalid` for an edit that has no place. */
export function editedDraft(root: SourceNode, edits: readonly FlowEdit[]): Draft {
  let draft: Draft = { type: 'kept', node: root, shift: 0 };
  for (const edit of edits) draft = edit.type === 'rename_state' ? renamed(draft, edit.from, edit.to) : changed(draft, edit.path, 0, edit);
  return draft;
}

/** The value of a draft. */
export function draftValue(draft: Draft): Json {
  if (draft.type === 'kept') return draft.node.value;
  if (draft.type === 'fresh') return draft.value;
  if (draft.type === 'array') return draft.children.map((child) => draftValue(child.draft));
  return objectOf(draft.children.map((child) => [child.key, draftValue(child.draft)]));
}

type PathEdit = Exclude<FlowEdit, { type: 'rename_state' }>;

function changed(draft: Draft, path: DocumentPath, depth: number, edit: PathEdit): Draft {
  const segment = path[depth];
  if (segment === undefined) {
    if (edit.type === 'set') return { type: 'fresh', value: edit.value };
    throw noPlace(path, 'the document itself can only be set');
  }
  const container = opened(draft);
  if (!container) throw noPlace(path, `${jsonPointer(path.slice(0, depth)) || 'the document'} is neither an object nor a list`);
  const last = depth === path.length - 1;
  const index = container.type === 'array' ? Number(segment) : container.children.findIndex((child) => child.key === String(segment));
  const child = container.children[index];
  if (last && edit.type !== 'set') {
    if (edit.type === 'insert') insertItem(container, index, edit.value, path);
    else if (child) container.children.splice(index, 1);
  } else if (child) {
    child.draft = changed(child.draft, path, depth + 1, edit);
  } else if (edit.type === 'set') {
    if (container.type === 'array' && index !== container.children.length) throw noPlace(path, 'the list has no such index');
    const at = container.type === 'array' ? index : placeOfKey(String(segment), keysOf(container), keyOrder(path.slice(0, depth)));
    const draft = last ? ({ type: 'fresh', value: edit.value } as const) : changed({ type: 'fresh', value: {} }, path, depth + 1, edit);
    container.children.splice(at, 0, { key: String(segment), draft });
  } else if (edit.type === 'insert') {
    throw noPlace(path, 'there is no such list');
  }
  return container;
}

function insertItem(container: DraftObject | DraftArray, index: number, value: Json, path: DocumentPath): void {
  if (container.type !== 'array') throw noPlace(path, 'only a list can be inserted into');
  if (!(index >= 0 && index <= container.children.length)) throw noPlace(path, 'the list has no such index');
  container.children.splice(index, 0, { key: '', draft: { type: 'fresh', value } });
}

function keysOf(container: DraftObject): string[] {
  return container.children.map((child) => child.key);
}

function noPlace(path: DocumentPath, why: string): FlowError {
  return new FlowError('Invalid', `The edit at ${jsonPointer(path) || 'the document'} has no place: ${why}.`, {
    details: { path: jsonPointer(path) },
  });
}

/** The draft as one whose children can be changed; null for a scalar. */
function opened(draft: Draft): DraftObject | DraftArray | null {
  if (draft.type === 'object' || draft.type === 'array') return draft;
  if (draft.type === 'kept' && draft.node.type === 'object') {
    const { node, shift } = draft;
    const children = node.entries.map((entry, origin) => ({ origin, key: entry.key, draft: kept(entry.node, shift + entry.shift) }));
    return { type: 'object', source: node, shift, children };
  }
  if (draft.type === 'kept' && draft.node.type === 'array') {
    const { node, shift } = draft;
    return {
      type: 'array',
      source: node,
      shift,
      children: node.items.map((item, origin) => ({ origin, key: '', draft: kept(item.node, shift + item.shift) })),
    };
  }
  // A new value, or an alias in the text: it becomes a value of its own.
  const value = draftValue(draft);
  const fresh = (item: Json): Draft => ({ type: 'fresh', value: item });
  if (Array.isArray(value))
    return { type: 'array', source: null, shift: 0, children: value.map((item) => ({ key: '', draft: fresh(item) })) };
  if (!isJsonObject(value)) return null;
  return { type: 'object', source: null, shift: 0, children: Object.entries(value).map(([key, item]) => ({ key, draft: fresh(item) })) };
}

function kept(node: SourceNode, shift: number): Draft {
  return { type: 'kept', node, shift };
}

function renamed(draft: Draft, from: string, to: string): Draft {
  const root = opened(draft);
  if (root?.type !== 'object') return draft;
  for (const child of root.children) {
    if ((child.key === 'input' || child.key === 'output') && draftValue(child.draft) === from) child.draft = { type: 'fresh', value: to };
    if (child.key === 'schemas') child.draft = withRenamedKey(child.draft, from, to);
    if (child.key === 'nodes') child.draft = withRenamedStates(child.draft, from, to);
  }
  return root;
}

function withRenamedKey(draft: Draft, from: string, to: string): Draft {
  const value = draftValue(draft);
  if (!isJsonObject(value) || !Object.hasOwn(value, from) || from === to) return draft;
  const schemas = opened(draft);
  if (schemas?.type !== 'object') return draft;
  const index = schemas.children.findIndex((child) => child.key === from);
  const child = schemas.children[index];
  if (Object.hasOwn(value, to)) schemas.children.splice(index, 1);
  else if (child) child.key = to;
  return schemas;
}

function withRenamedStates(draft: Draft, from: string, to: string): Draft {
  const value = draftValue(draft);
  if (!Array.isArray(value)) return draft;
  let nodes = draft;
  for (const [index, node] of (value as readonly Json[]).entries()) {
    if (!isJsonObject(node)) continue;
    for (const side of ['from', 'to'] as const) {
      for (const path of placesOf(node[side], from))
        nodes = changed(nodes, [index, side, ...path], 0, { type: 'set', path: [index, side, ...path], value: to });
    }
  }
  return nodes;
}

function placesOf(side: Json | undefined, name: string): DocumentPath[] {
  if (side === name) return [[]];
  if (!Array.isArray(side)) return [];
  return (side as readonly Json[]).flatMap((item, index) => (item === name ? [[index]] : []));
}
