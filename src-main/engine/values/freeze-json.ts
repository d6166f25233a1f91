import type { Json } from '#shared/json.ts';
import { copyWith } from './copy-with.ts';

/** Why a value is not JSON, and where (JSON Pointer). */
export interface NotJson {
  readonly path: string;
  readonly message: string;
}

const maxDepth = 1000;
const maxSize = 64 * 1024 * 1024;
/** Containers at least this large are remembered once they are frozen; smaller ones are cheaper to walk again. */
const rememberedSize = 1024;

interface Measure {
  /** Length of the value's JSON text, estimated from below. */
  readonly size: number;
  readonly depth: number;
}

/** What a container was copied from, and what is new in it: the items from the base's length on, or these fields. */
type Extension = { readonly list: readonly unknown[] } | { readonly object: object; readonly fields: readonly string[] };

/** Large containers that were found to be JSON and are frozen at every depth, and frozen copies of such that are still to be checked. */
const frozen = new WeakMap<object, Measure | Extension>();

class NotJsonError extends Error {
  readonly segments: (string | number)[] = [];
}

/** Size of what the current call of `freezeJson` has walked so far. A variable of the module, since an object for each call would cost more. */
let size = 0;

/**
 * Checks that a value is JSON (plain objects and arrays, finite numbers, well-formed strings, at most 1,000 levels and 64 MiB of text) and
 * freezes it at every depth. Returns what is not JSON, or null. Large containers that were frozen before are not walked again.
 */
export function freezeJson(value: unknown): NotJson | null {
  // A getter in the value can freeze another one meanwhile.
  const outer = size;
  size = 0;
  try {
    walk(value, 0);
    return null;
  } catch (error) {
    if (error instanceof NotJsonError) {
      // Omit paths deeper than 1,000 levels: they help no one.
      const named = error.segments.length < maxDepth ? error.segments.reverse() : [];
      const path = named.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`);
      return { path: path.join(''), message: error.message };
    }
    throw error;
  } finally {
    size = outer;
  }
}

/** Freezes one value at `depth`, adds its size to `size` and returns the depth that it reaches. */
function walk(value: unknown, depth: number): number {
  switch (typeof value) {
    case 'string':
      size += value.length + 2;
      if (size > maxSize) throw tooLarge();
      if (!value.isWellFormed()) throw new NotJsonError('a text with half of a surrogate pair, which JSON cannot carry');
      return depth;
    case 'number':
      size += 1;
      if (!Number.isFinite(value)) throw new NotJsonError(`${value}, which JSON cannot carry`);
      return depth;
    case 'boolean':
      size += 4;
      return depth;
    case 'object':
      break;
    default:
      throw new NotJsonError(`${value === undefined ? 'undefined' : `a ${typeof value}`}, which JSON cannot carry`);
  }
  if (value === null) {
    size += 4;
    return depth;
  }
  const known = frozen.get(value);
  if (known !== undefined && 'size' in known) {
    size += known.size;
    if (depth + known.depth > maxDepth) throw tooDeep();
    if (size > maxSize) throw tooLarge();
    return depth + known.depth;
  }
  if (depth >= maxDepth) throw tooDeep();
  const before = size;
  let reached: number;
  if (known !== undefined) reached = walkExtension(value, known, depth);
  else {
    size += 2;
    reached = Array.isArray(value) ? walkArray(value, 0, depth) : walkObject(value, Object.keys(value), depth);
  }
  if (size > maxSize) throw tooLarge();
  if (!Object.isFrozen(value)) Object.freeze(value);
  if (known !== undefined || size - before >= rememberedSize) frozen.set(value, { size: size - before, depth: reached - depth });
  return reached;
}

/** Walks what an extension adds to its base, whose measure is known. */
function walkExtension(value: object, extension: Extension, depth: number): number {
  const before = size;
  if ('list' in extension) {
    const { list } = extension;
    return Math.max(walk(list, depth), walkArray(value as readonly unknown[], list.length, depth));
  }
  const { object, fields } = extension;
  const reached = walk(object, depth);
  // A replaced value no longer counts. Its depth does, which is a bound from above.
  const basis = size;
  size = 0;
  walkObject(
    object,
    fields.filter((field) => Object.hasOwn(object, field)),
    depth,
  );
  size = Math.max(basis - size, before);
  return Math.max(reached, walkObject(value, fields, depth));
}

function walkArray(value: readonly unknown[], from: number, depth: number): number {
  let reached = depth + 1;
  for (let index = from; index < value.length; index += 1) {
    size += 1;
    try {
      const deep = walk(value[index], depth + 1);
      if (deep > reached) reached = deep;
    } catch (error) {
      if (error instanceof NotJsonError) error.segments.push(index);
      throw error;
    }
  }
  return reached;
}

function walkObject(value: object, keys: readonly string[], depth: number): number {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new NotJsonError(`${(value as { constructor?: { name?: string } }).constructor?.name ?? 'an object'}, which is not plain data`);
  }
  let reached = depth + 1;
  const record = value as Record<string, unknown>;
  for (const key of keys) {
    size += key.length + 4;
    try {
      if (!key.isWellFormed()) throw new NotJsonError('a name with half of a surrogate pair, which JSON cannot carry');
      const deep = walk(record[key], depth + 1);
      if (deep > reached) reached = deep;
    } catch (error) {
      if (error instanceof NotJsonError) error.segments.push(key);
      throw error;
    }
  }
  return reached;
}

function tooDeep(): NotJsonError {
  return new NotJsonError(`more than ${maxDepth.toLocaleString('en')} levels, or a value that contains itself`);
}

function tooLarge(): NotJsonError {
  return new NotJsonError('more than 64 MiB');
}

/** Whether a container is large, JSON and frozen at every depth, so that results of checks on it can be cached. */
export function isFrozenJson(value: object): boolean {
  const known = frozen.get(value);
  return known !== undefined && 'size' in known;
}

/** A copy of a list with more items at its end, frozen. Of a large list that was checked before, `freezeJson` walks the new items only. */
export function extendList<Item>(list: readonly Item[], items: readonly Item[]): readonly Item[] {
  const copy = Object.freeze([...list, ...items]);
  if (canExtend(list)) frozen.set(copy, { list });
  return copy;
}

/** A copy of an object with some fields added or replaced, frozen. Of a large object that was checked before, `freezeJson` walks these fields only. */
export function extendObject<Value>(
  object: Readonly<Record<string, Value>>,
  fields: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const copy = Object.freeze(copyWith(object, fields));
  if (canExtend(object)) frozen.set(copy, { object, fields: Object.keys(fields) });
  return copy;
}

/** Depths of extensions are bounds from above, so deep containers are walked whole. */
function canExtend(container: object): boolean {
  const known = frozen.get(container);
  return known !== undefined && 'size' in known && known.depth < maxDepth / 2;
}

/** The frozen value, known to be JSON. */
export function asJson(value: unknown): Json {
  return value as Json;
}
