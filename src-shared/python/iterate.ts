import { countItems, countOperations } from './budget.ts';
import { PyDict } from './dict.ts';
import { typeError } from './errors.ts';
import { PySet } from './set.ts';
import { typeName } from './type-name.ts';
import { PyBytes, PyDictView, PyGenerator, PyList, type PyNext, PyTuple, type PyValue } from './values.ts';

/** Iterates a value as `for` does. Each step counts as one operation. */
export function iterate(value: PyValue, message?: string): PyNext {
  const next = rawIterator(value);
  if (!next) throw typeError(message ?? `'${typeName(value)}' object is not iterable`);
  return () => {
    countOperations(1);
    return next();
  };
}

/** True for values that `iterate` takes. */
export function isIterable(value: PyValue): boolean {
  return (
    typeof value === 'string' ||
    value instanceof PyList ||
    value instanceof PyTuple ||
    value instanceof PyDict ||
    value instanceof PySet ||
    value instanceof PyDictView ||
    value instanceof PyGenerator ||
    value instanceof PyBytes
  );
}

function rawIterator(value: PyValue): PyNext | undefined {
  if (value instanceof PyList || value instanceof PyTuple) {
    const { items } = value;
    let index = 0;
    return () => items[index++];
  }
  if (typeof value === 'string') return fromIterator(value[Symbol.iterator]());
  if (value instanceof PyDict) return value.iterate(([key]) => key);
  if (value instanceof PyDictView) return iterateView(value);
  if (value instanceof PyGenerator) return value.next;
  if (value instanceof PySet) return fromIterator(value.ordered()[Symbol.iterator]());
  if (value instanceof PyBytes) {
    const { bytes } = value;
    let index = 0;
    return () => (index < bytes.length ? BigInt(bytes[index++] as number) : undefined);
  }
  return undefined;
}

function iterateView({ dict, kind }: PyDictView): PyNext {
  if (kind === 'keys') return dict.iterate(([key]) => key);
  if (kind === 'values') return dict.iterate(([, value]) => value);
  return dict.iterate(([key, item]) => new PyTuple([key, item]));
}

function fromIterator(iterator: Iterator<PyValue>): PyNext {
  return () => {
    const { value, done } = iterator.next();
    return done ? undefined : value;
  };
}

/** All values of an iterable, in a new array. */
export function toArray(value: PyValue, message?: string): PyValue[] {
  if (value instanceof PyList || value instanceof PyTuple) {
    countItems(value.items.length);
    return value.items.slice();
  }
  const next = iterate(value, message);
  const items: PyValue[] = [];
  for (let item = next(); item !== undefined; item = next()) items.push(item);
  countItems(items.length);
  return items;
}
