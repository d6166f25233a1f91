import { countBytes, countItems, countText } from './budget.ts';
import { PythonError } from './errors.ts';
import { PyBytes, PyList, PyTuple, type PyValue } from './values.ts';

/** `a + b` of two sequences of one type. */
export function concatenate(a: PyValue, b: PyValue): PyValue | undefined {
  if (typeof a === 'string' && typeof b === 'string') {
    countText(a.length + b.length);
    return a + b;
  }
  if (a instanceof PyList && b instanceof PyList) return new PyList(joined(a.items, b.items));
  if (a instanceof PyTuple && b instanceof PyTuple) return new PyTuple(joined(a.items, b.items));
  if (a instanceof PyBytes && b instanceof PyBytes) return new PyBytes(Uint8Array.from([...a.bytes, ...b.bytes]));
  return undefined;
}

function joined(a: readonly PyValue[], b: readonly PyValue[]): PyValue[] {
  countItems(a.length + b.length);
  return a.concat(b);
}

/** `sequence * count`; nothing when the operands are others. */
export function repeat(sequence: PyValue, count: PyValue): PyValue | undefined {
  if (typeof count !== 'bigint' && typeof count !== 'boolean') return undefined;
  const size = sequenceLength(sequence);
  if (size === undefined) return undefined;
  const times = Number(count);
  if (Math.abs(times) >= 2 ** 63) throw new PythonError('OverflowError', "cannot fit 'int' into an index-sized integer");
  if (times <= 0 || size === 0) return repeated(sequence, 0);
  countBytes(size * times * (typeof sequence === 'string' ? 2 : 8));
  return repeated(sequence, times);
}

function sequenceLength(value: PyValue): number | undefined {
  if (typeof value === 'string') return value.length;
  if (value instanceof PyList || value instanceof PyTuple) return value.items.length;
  return value instanceof PyBytes ? value.bytes.length : undefined;
}

function repeated(sequence: PyValue, times: number): PyValue {
  if (typeof sequence === 'string') return sequence.repeat(times);
  if (sequence instanceof PyBytes) return new PyBytes(Uint8Array.from(new Array<number[]>(times).fill([...sequence.bytes]).flat()));
  const { items } = sequence as PyList | PyTuple;
  countItems(items.length * times);
  const all: PyValue[] = [];
  for (let round = 0; round < times; round++) for (const item of items) all.push(item);
  return sequence instanceof PyList ? new PyList(all) : new PyTuple(all);
}
