import type { Json, JsonObject } from '#shared/json.ts';
import { jsonPointer } from '#shared/json.ts';
import { PyDict } from './dict.ts';
import { typeError, unsupported, valueError } from './errors.ts';
import { guarded } from './evaluate.ts';
import { floatRepr } from './float-repr.ts';
import { integerText } from './repr.ts';
import { typeName } from './type-name.ts';
import { PyList, PyTuple, type PyValue } from './values.ts';

/** Why a value cannot be written into a state. */
export interface PythonJsonFailure {
  /** The Python type, or what is wrong with the number. */
  readonly type: string;
  readonly message: string;
}

/** Keys of dicts, by JSON Pointer, in an order that objects of JavaScript do not keep: `{"2": …, "1": …}`. */
export type KeyOrders = Readonly<Record<string, readonly string[]>>;

/**
 * Makes a Python value of JSON. `floats` are the JSON Pointers of the whole numbers that are floats, `orders` the dicts whose
 * keys have another order than the object's.
 */
export function fromJson(value: Json, floats: readonly string[] = [], orders: KeyOrders = {}): PyValue {
  const hasNotes = floats.length > 0 || Object.keys(orders).length > 0;
  return build(value, hasNotes ? { floats: new Set(floats), orders } : undefined, '');
}

interface Notes {
  readonly floats: ReadonlySet<string>;
  readonly orders: KeyOrders;
}

function build(value: Json, notes: Notes | undefined, at: string): PyValue {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !Object.is(value, -0) && !notes?.floats.has(at) ? BigInt(value) : value;
  if (typeof value === 'string' && !value.isWellFormed()) throw unsupported('a text with a lone surrogate');
  if (value === null || typeof value !== 'object') return value;
  const below = (key: string | number) => (notes ? `${at}${jsonPointer([key])}` : at);
  if (Array.isArray(value)) return new PyList(value.map((item, index) => build(item, notes, below(index))));
  const keys = notes?.orders[at] ?? Object.keys(value);
  return PyDict.of(keys.map((key) => [key, build((value as JsonObject)[key] as Json, notes, below(key))] as const));
}

/** A value as JSON, with what JSON does not say. */
export interface PythonJson {
  readonly value: Json;
  /** JSON Pointers of the whole numbers that are floats. */
  readonly floats: readonly string[];
  readonly orders: KeyOrders;
}

/** Makes JSON of a Python value: tuples become lists, keys text. A failure names the type that JSON cannot carry. */
export function toJson(value: PyValue): PythonJson | { readonly failure: PythonJsonFailure } {
  const notes = { floats: [] as string[], orders: {} as Record<string, readonly string[]> };
  try {
    return { value: guarded(() => carry(value, [], notes, [])), ...notes };
  } catch (error) {
    if (error instanceof NotJson) return { failure: error.failure };
    throw error;
  }
}

interface Written {
  readonly floats: string[];
  readonly orders: Record<string, readonly string[]>;
}

class NotJson extends Error {
  readonly failure: PythonJsonFailure;
  constructor(type: string, message: string) {
    super(message);
    this.failure = { type, message };
  }
}

function carry(value: PyValue, path: readonly (string | number)[], notes: Written, outer: readonly PyValue[]): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new NotJson('int', 'An integer beyond 2^53 - 1 cannot be stored in a state.');
    return number;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotJson('float', `The float ${floatRepr(value)} cannot be stored in a state.`);
    if (Number.isInteger(value)) notes.floats.push(jsonPointer(path));
    return value;
  }
  if (outer.includes(value)) throw new NotJson(typeName(value), 'A value that contains itself cannot be stored in a state.');
  const inner = [...outer, value];
  if (value instanceof PyList || value instanceof PyTuple) {
    return value.items.map((item, index) => carry(item, [...path, index], notes, inner));
  }
  if (!(value instanceof PyDict)) {
    throw new NotJson(typeName(value), `A value of type ${typeName(value)} cannot be stored in a state.`);
  }
  // Two keys may have one text; the later value wins, and only its floats count.
  const entries = new Map<string, PyValue>();
  for (const [key, item] of value.entries()) entries.set(keyText(key), item);
  const object = Object.fromEntries(Array.from(entries, ([key, item]) => [key, carry(item, [...path, key], notes, inner)]));
  const keys = [...entries.keys()];
  if (Object.keys(object).some((key, index) => key !== keys[index])) notes.orders[jsonPointer(path)] = keys;
  return object;
}

function keyText(key: PyValue): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'bigint') return integerText(key);
  if (typeof key === 'number') return numberText(key);
  if (typeof key === 'boolean') return key ? 'true' : 'false';
  if (key === null) return 'null';
  throw new NotJson(typeName(key), `A dict with a key of type ${typeName(key)} cannot be stored in a state.`);
}

/** `json.dumps(value)`: `", "`, `": "`, everything beyond ASCII escaped. Throws `PythonError` as Python does. */
export function jsonDumps(value: PyValue): string {
  return guarded(() => dump(value, []));
}

function dump(value: PyValue, outer: readonly PyValue[]): string {
  if (typeof value === 'string') return quote(value);
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'bigint') return integerText(value);
  if (typeof value === 'number') return numberText(value);
  if (outer.includes(value)) throw valueError('Circular reference detected');
  const inner = [...outer, value];
  if (value instanceof PyList || value instanceof PyTuple) return `[${value.items.map((item) => dump(item, inner)).join(', ')}]`;
  if (!(value instanceof PyDict)) throw typeError(`Object of type ${typeName(value)} is not JSON serializable`);
  return `{${Array.from(value.entries(), ([key, item]) => `${quote(dumpKey(key))}: ${dump(item, inner)}`).join(', ')}}`;
}

function dumpKey(key: PyValue): string {
  if (typeof key === 'object' && key !== null) throw typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
  return keyText(key);
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return floatRepr(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

function quote(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
