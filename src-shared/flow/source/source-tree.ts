import type { Json, JsonObject } from '#shared/json.ts';

/**
 * A value of a document with its position in the text, in UTF-16 units, relative to the frame of the entry that contains the node:
 * add up the `shift`s on the way from the root. So an unchanged part of a text keeps its nodes.
 */
export type SourceNode =
  | { readonly type: 'scalar'; readonly start: number; readonly end: number; readonly value: Json }
  | SourceArray
  | SourceObject;

export interface SourceArray {
  readonly type: 'array';
  readonly start: number;
  readonly end: number;
  /** `block`: one item after each dash, of YAML. `flow`: in brackets. */
  readonly style: 'block' | 'flow';
  readonly items: readonly SourceItem[];
  readonly value: readonly Json[];
}

export interface SourceObject {
  readonly type: 'object';
  readonly start: number;
  readonly end: number;
  readonly style: 'block' | 'flow';
  readonly entries: readonly SourceEntry[];
  readonly value: JsonObject;
}

/** One item of an array. `start` is where it begins, in block style at its dash. */
export interface SourceItem {
  readonly shift: number;
  readonly start: number;
  readonly node: SourceNode;
}

/** One entry of an object. */
export interface SourceEntry {
  readonly shift: number;
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly node: SourceNode;
}

/** A parsed text: a tree, or the reasons why it cannot be parsed. */
export type SourceReading =
  | { readonly ok: true; readonly root: SourceNode }
  | { readonly ok: false; readonly faults: readonly SourceError[] };

/** A syntax error in a document. `path` is its JSON Pointer, `""` if the text as a whole cannot be parsed. */
export interface SourceError {
  readonly message: string;
  readonly path: string;
  readonly position: number;
}

/** Most levels of nesting. */
export const maxNesting = 1000;

/** Most repeated keys to report: locating each one costs time. */
export const maxDuplicates = 1000;

/** An object from its entries, in order. A key `__proto__` becomes a plain field, as in `JSON.parse`. */
export function objectOf(entries: Iterable<readonly [string, Json]>): JsonObject {
  return Object.fromEntries(entries) as JsonObject;
}

/** A node found by its path, with absolute positions. */
export interface Located {
  readonly node: SourceNode;
  /** What to add to the positions inside `node`. */
  readonly shift: number;
  /** Absolute start and end of the value. */
  readonly start: number;
  readonly end: number;
  /** Absolute start of the whole entry: its key, or its dash. */
  readonly entryStart: number;
}

/** Finds the node at a path; null if there is none. */
export function locate(root: SourceNode, path: readonly (string | number)[]): Located | null {
  let node = root;
  let shift = 0;
  let entryStart = root.start;
  for (const segment of path) {
    const child = childOf(node, segment);
    if (!child) return null;
    shift += child.shift;
    entryStart = shift + ('keyStart' in child ? child.keyStart : child.start);
    node = child.node;
  }
  return { node, shift, start: node.start + shift, end: node.end + shift, entryStart };
}

function childOf(node: SourceNode, segment: string | number): SourceEntry | SourceItem | undefined {
  if (node.type === 'array') return node.items[Number(segment)];
  return node.type === 'object' ? entryOf(node, String(segment)) : undefined;
}

/** Objects with more entries than this are looked up by an index. */
const manyEntries = 32;
const indices = new WeakMap<SourceObject, ReadonlyMap<string, SourceEntry>>();

function entryOf(node: SourceObject, key: string): SourceEntry | undefined {
  if (node.entries.length <= manyEntries) return node.entries.find((entry) => entry.key === key);
  let index = indices.get(node);
  if (!index) {
    index = new Map(node.entries.map((entry) => [entry.key, entry]));
    indices.set(node, index);
  }
  return index.get(key);
}
