import type { Json } from '#shared/json.ts';

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

/** Large containers that were found to be JSON and are frozen at every depth. */
const frozen = new WeakMap<object, Measure>();

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
  if (known !== undefined) {
    size += known.size;
    if (depth + known.depth > maxDepth) throw tooDeep();
    if (size > maxSize) throw tooLarge();
    return depth + known.depth;
  }
  if (depth >= maxDepth) throw tooDeep();
  const before = size;
  size += 2;
  const reached = Array.isArray(value) ? walkArray(value, depth) : walkObject(value, depth);
  if (size > maxSize) throw tooLarge();
  if (!Object.isFrozen(value)) Object.freeze(value);
  if (size - before >= rememberedSize) frozen.set(value, { size: size - before, depth: reached - depth });
  return reached;
}

function walkArray(value: readonly unknown[], depth: number): number {
  let reached = depth + 1;
  for (let index = 0; index < value.length; index += 1) {
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

function walkObject(value: object, depth: number): number {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new NotJsonError(`${(value as { constructor?: { name?: string } }).constructor?.name ?? 'an object'}, which is not plain data`);
  }
  let reached = depth + 1;
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
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
  return frozen.has(value);
}

/** The frozen value, known to be JSON. */
export function asJson(value: unknown): Json {
  return value as Json;
}
