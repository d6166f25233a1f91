import type { Json } from '#shared/json.ts';

/** Why a value cannot be a state, and where (JSON Pointer). */
export interface Impurity {
  readonly path: string;
  readonly message: string;
}

const maxDepth = 1000;
const maxSize = 64 * 1024 * 1024;
/** Containers at least this large are remembered once they are settled; smaller ones are cheaper to walk again. */
const rememberedSize = 1024;

interface Measure {
  /** Length of the value's JSON text, estimated from below. */
  readonly size: number;
  readonly depth: number;
}

/** Large containers that were found to be JSON and are frozen at every depth. */
const settled = new WeakMap<object, Measure>();

class ImpureValue extends Error {
  readonly segments: (string | number)[] = [];
}

let size = 0;

/**
 * Makes sure that a value is JSON (plain objects and arrays, finite numbers, well-formed strings, at most 1,000 levels and
 * 64 MiB of text) and freezes it at every depth. Returns what is wrong, or null. What was settled before is not walked again.
 */
export function settleValue(value: unknown): Impurity | null {
  size = 0;
  try {
    walk(value, 0);
    return null;
  } catch (error) {
    if (error instanceof ImpureValue) {
      // A thousand levels down is no place that helps anybody.
      const named = error.segments.length < maxDepth ? error.segments.reverse() : [];
      const path = named.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`);
      return { path: path.join(''), message: error.message };
    }
    throw error;
  }
}

/** Settles one value at `depth`, adds its size to `size` and returns how deep it reaches. */
function walk(value: unknown, depth: number): number {
  switch (typeof value) {
    case 'string':
      size += value.length + 2;
      if (size > maxSize) throw tooLarge();
      if (!value.isWellFormed()) throw new ImpureValue('a text with half of a surrogate pair, which JSON cannot carry');
      return depth;
    case 'number':
      size += 1;
      if (!Number.isFinite(value)) throw new ImpureValue(`${value}, which JSON cannot carry`);
      return depth;
    case 'boolean':
      size += 4;
      return depth;
    case 'object':
      break;
    default:
      throw new ImpureValue(`${value === undefined ? 'undefined' : `a ${typeof value}`}, which JSON cannot carry`);
  }
  if (value === null) {
    size += 4;
    return depth;
  }
  const known = settled.get(value);
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
  if (size - before >= rememberedSize) settled.set(value, { size: size - before, depth: reached - depth });
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
      if (error instanceof ImpureValue) error.segments.push(index);
      throw error;
    }
  }
  return reached;
}

function walkObject(value: object, depth: number): number {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new ImpureValue(`${(value as { constructor?: { name?: string } }).constructor?.name ?? 'an object'}, which is not plain data`);
  }
  let reached = depth + 1;
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    size += key.length + 4;
    try {
      if (!key.isWellFormed()) throw new ImpureValue('a name with half of a surrogate pair, which JSON cannot carry');
      const deep = walk(record[key], depth + 1);
      if (deep > reached) reached = deep;
    } catch (error) {
      if (error instanceof ImpureValue) error.segments.push(key);
      throw error;
    }
  }
  return reached;
}

function tooDeep(): ImpureValue {
  return new ImpureValue(`more than ${maxDepth.toLocaleString('en')} levels, or a value that contains itself`);
}

function tooLarge(): ImpureValue {
  return new ImpureValue('more than 64 MiB');
}

/** Whether a container is large, JSON, and frozen at every depth: what was once found out about it stays true. */
export function isSettled(value: object): boolean {
  return settled.has(value);
}

/** The settled value, known to be JSON. */
export function asJson(value: unknown): Json {
  return value as Json;
}
