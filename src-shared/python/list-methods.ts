import { asRange, asSize } from './argument-types.ts';
import { countBytes, countItems } from './budget.ts';
import { sortItems } from './builtin-sorted.ts';
import { isSame } from './equality.ts';
import { PythonError, typeError, valueError } from './errors.ts';
import { toArray } from './iterate.ts';
import { MethodTableBuilder, namedSignature } from './method.ts';
import { pyRepr } from './repr.ts';
import { bindBuiltin } from './signature.ts';
import { PyList, type PyTuple, type PyValue } from './values.ts';

const sortSignature = namedSignature('*, key=, reverse=');

/** Methods of `list`. */
export const listMethods = new MethodTableBuilder<PyList>('list')
  .one('append', ({ items }, value) => {
    countBytes(8);
    items.push(value);
    return null;
  })
  .none('clear', ({ items }) => {
    items.length = 0;
    return null;
  })
  .none('copy', ({ items }) => {
    countItems(items.length);
    return new PyList(items.slice());
  })
  .one('count', ({ items }, value) => count(items, value))
  .one('extend', ({ items }, values) => {
    for (const value of toArray(values)) items.push(value);
    return null;
  })
  .positional('index', 1, 3, ({ items }, value, start, end) => {
    const found = find(items, value as PyValue, start, end);
    if (found < 0) throw valueError(`${pyRepr(value as PyValue)} is not in list`);
    return BigInt(found);
  })
  .positional('insert', 2, 2, ({ items }, index, value) => {
    countItems(items.length);
    items.splice(asSize(index as PyValue), 0, value as PyValue);
    return null;
  })
  .positional('pop', 0, 1, ({ items }, index = -1n) => {
    const at = asSize(index);
    if (items.length === 0) throw new PythonError('IndexError', 'pop from empty list');
    const position = at < 0 ? at + items.length : at;
    if (position < 0 || position >= items.length) throw new PythonError('IndexError', 'pop index out of range');
    return items.splice(position, 1)[0] as PyValue;
  })
  .one('remove', ({ items }, value) => {
    const found = items.findIndex((item) => isSame(item, value));
    if (found < 0) throw valueError('list.remove(x): x not in list');
    items.splice(found, 1);
    return null;
  })
  .none('reverse', ({ items }) => {
    items.reverse();
    return null;
  })
  .raw('sort', ({ items }, args, keywords) => {
    bindBuiltin('list.sort', sortSignature, args, keywords);
    const before = items.splice(0);
    let sorted = before;
    try {
      sorted = sortItems(before, keywords);
    } finally {
      for (const item of sorted) items.push(item);
    }
    return null;
  })
  .build();

/** Methods of `tuple`. */
export const tupleMethods = new MethodTableBuilder<PyTuple>('tuple')
  .one('count', ({ items }, value) => count(items, value))
  .positional('index', 1, 3, ({ items }, value, start, end) => {
    const found = find(items, value as PyValue, start, end);
    if (found < 0) throw valueError('tuple.index(x): x not in tuple');
    return BigInt(found);
  })
  .build();

/** Unlike those of slices, these bounds cannot be `None`. */
const notAnIndex = () => typeError('slice indices must be integers or have an __index__ method');

function count(items: readonly PyValue[], value: PyValue): PyValue {
  return BigInt(items.filter((item) => isSame(item, value)).length);
}

function find(items: readonly PyValue[], value: PyValue, start: PyValue | undefined, end: PyValue | undefined): number {
  for (const bound of [start, end]) if (bound === null) throw notAnIndex();
  const [from, to] = asRange(start, end, items.length, notAnIndex);
  for (let index = from; index < to; index++) if (isSame(items[index] as PyValue, value)) return index;
  return -1;
}
