import { typeError, unsupported } from './errors.ts';
import { typeName } from './type-name.ts';
import { PyBytes, PyCallable, PyComplex, PySlice, PyTuple, type PyValue } from './values.ts';

/** A value under which `Map` finds everything that is equal in Python. */
export type Key = unknown;

/** Begins the keys of tuples and bytes. Texts never hold a lone surrogate. */
const mark = '\ud800';

const unhashable = new Set(['list', 'dict', 'set', 'dict_keys', 'dict_items']);

/** Returns the value's key. Throws `TypeError` for values that cannot be hashed. */
export function keyOf(value: PyValue): Key {
  if (typeof value === 'string' || typeof value === 'bigint' || value === null) return value;
  if (typeof value === 'number') return numberKey(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value instanceof PyTuple) return `${mark}(${value.items.map(encodeItem).join('')})`;
  if (value instanceof PyBytes) return `${mark}b${value.bytes.join(',')}`;
  if (value instanceof PyComplex) {
    if (value.inexact) throw unsupported('the hash of a complex power');
    return value.imag === 0 ? numberKey(value.real) : `${mark}c${value.real},${value.imag}`;
  }
  const type = typeName(value);
  if (unhashable.has(type)) throw typeError(`unhashable type: '${type}'`);
  if (value instanceof PySlice) return `${mark}[${[value.start, value.stop, value.step].map(encodeItem).join('')}]`;
  if (value instanceof PyCallable && value.self !== undefined) throw unsupported('the hash of a method');
  return value;
}

function numberKey(value: number): Key {
  if (Number.isNaN(value)) throw unsupported('NaN as a key');
  return Number.isInteger(value) ? BigInt(value) : value;
}

const ids = new WeakMap<object, number>();
let lastId = 0;

function encodeItem(value: PyValue): string {
  const key = keyOf(value);
  if (typeof key === 'string') return `s${key.length}:${key}`;
  if (typeof key === 'bigint') return `i${key};`;
  if (typeof key === 'number') return `f${key};`;
  if (key === null) return 'n';
  const object = key as object;
  let id = ids.get(object);
  if (id === undefined) {
    id = ++lastId;
    ids.set(object, id);
  }
  return `o${id};`;
}
