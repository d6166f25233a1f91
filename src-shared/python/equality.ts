import { countOperations } from './budget.ts';
import { PyDict } from './dict.ts';
import { unsupported } from './errors.ts';
import { PySet } from './set.ts';
import { PyBytes, PyCallable, PyComplex, PyDictView, PyList, PySlice, PyTuple, type PyValue } from './values.ts';

/** `a == b`. */
export function isEqual(a: PyValue, b: PyValue): boolean {
  countOperations(1);
  if (isNumber(a) && isNumber(b)) return numbersEqual(asNumber(a), asNumber(b));
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (a instanceof PyComplex || b instanceof PyComplex) return complexEqual(a, b);
  if (a instanceof PyList) return b instanceof PyList && itemsEqual(a.items, b.items);
  if (a instanceof PyTuple) return b instanceof PyTuple && itemsEqual(a.items, b.items);
  if (a instanceof PyDict) return b instanceof PyDict && dictsEqual(a, b);
  if (a instanceof PyBytes) return b instanceof PyBytes && String(a.bytes) === String(b.bytes);
  if (a instanceof PySlice) return b instanceof PySlice && itemsEqual([a.start, a.stop, a.step], [b.start, b.stop, b.step]);
  if (a instanceof PyCallable && b instanceof PyCallable && a.self !== undefined && b.self !== undefined) {
    return a.name === b.name && isIdentical(a.self, b.self);
  }
  // A view compares itself, whichever side it is on.
  if (isSetLike(a) && isSetLike(b)) return sizeOf(a) === sizeOf(b) && (a instanceof PySet ? isWithin(b, a) : isWithin(a, b));
  return a === b;
}

/** Exact, also between integer and float. */
function numbersEqual(a: bigint | number, b: bigint | number): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: between bigint and number it is exact, and `===` is always false
  return a == b;
}

const isNumber = (value: PyValue): value is bigint | number | boolean =>
  typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';

const asNumber = (value: bigint | number | boolean) => (typeof value === 'boolean' ? Number(value) : value);

/** Sets and the views that are compared as sets. */
export type SetLike = PySet | PyDictView;

export const isSetLike = (value: PyValue): value is SetLike =>
  value instanceof PySet || (value instanceof PyDictView && value.kind !== 'values');

export const sizeOf = (value: SetLike): number => (value instanceof PySet ? value.size : value.dict.size);

/** True when `b` has all elements of `a`. Values of a dict are compared, not hashed. */
export function isWithin(a: SetLike, b: SetLike): boolean {
  if (sizeOf(a) > sizeOf(b)) return false;
  countOperations(sizeOf(a));
  if (a instanceof PySet) return a.unordered().every((value) => hasElement(b, value));
  return Iterator.from(a.dict.entries()).every(([key, value]) => hasElement(b, a.kind === 'keys' ? key : new PyTuple([key, value])));
}

/** `value in container`. */
export function hasElement(container: SetLike, value: PyValue): boolean {
  if (container instanceof PySet) return container.has(value);
  if (container.kind === 'keys') return container.dict.has(value);
  return hasItem(container.dict, value);
}

/** `item in dict.items()`. */
export function hasItem(dict: PyDict, item: PyValue): boolean {
  if (!(item instanceof PyTuple) || item.items.length !== 2) return false;
  const [key, value] = item.items as [PyValue, PyValue];
  const found = dict.get(key);
  return found !== undefined && isSame(found, value);
}

function complexEqual(a: PyValue, b: PyValue): boolean {
  const [x, y] = [a, b].map((value) =>
    value instanceof PyComplex ? value : isNumber(value) ? { real: asNumber(value), imag: 0, inexact: false } : undefined,
  );
  if (!x || !y) return false;
  if (!x.inexact && !y.inexact) return numbersEqual(x.real, y.real) && x.imag === y.imag;
  const distance = Math.hypot(Number(x.real) - Number(y.real), x.imag - y.imag);
  const size = Math.hypot(Number(x.real), x.imag) + Math.hypot(Number(y.real), y.imag);
  if (distance > size * 1e-9) return false;
  throw unsupported('a complex power in an equality');
}

/** `a is b or a == b`, as containers compare their items. */
export function isSame(a: PyValue, b: PyValue): boolean {
  if (a === b) return true;
  if (typeof a === 'number' && typeof b === 'number' && Number.isNaN(a) && Number.isNaN(b)) {
    throw unsupported('the identity of a NaN');
  }
  return isEqual(a, b);
}

function itemsEqual(a: readonly PyValue[], b: readonly PyValue[]): boolean {
  return a.length === b.length && a.every((item, index) => isSame(item, b[index] as PyValue));
}

function dictsEqual(a: PyDict, b: PyDict): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a.entries()) {
    const other = b.get(key);
    if (other === undefined || !isSame(value, other)) return false;
  }
  return true;
}

/** `a is b`. Throws `PythonStop` when the answer depends on how CPython stores the values. */
export function isIdentical(a: PyValue, b: PyValue): boolean {
  if (a !== b && !(Number.isNaN(a) && Number.isNaN(b))) return isIdenticalObject(a, b);
  if (typeof a === 'bigint' ? a >= -5n && a <= 256n : typeof a !== 'string' && typeof a !== 'number') return true;
  if (typeof a === 'string' && (a === '' || (a.length === 1 && a <= '\xff'))) return true;
  throw unsupported("'is' with numbers or texts (write '==')");
}

/** Two objects of ours may be one in CPython, which shares constants and makes a new method at each access. */
function isIdenticalObject(a: PyValue, b: PyValue): boolean {
  if (a instanceof PyCallable && b instanceof PyCallable) {
    return (
      a.type !== 'function' && a.type === b.type && a.name === b.name && a.owner === b.owner && a.self === undefined && b.self === undefined
    );
  }
  if (a instanceof PyTuple && b instanceof PyTuple && a.items.length === 0 && b.items.length === 0) return true;
  const isShared = (value: PyValue) => value instanceof PyTuple || value instanceof PyBytes || value instanceof PyComplex;
  if (isShared(a) && isShared(b) && isEqual(a, b)) throw unsupported("'is' with constants (write '==')");
  return false;
}
