import { countItems, countOperations } from './budget.ts';
import { characters, isSimple } from './code-points.ts';
import { PyDict } from './dict.ts';
import { PythonError, typeError, unsupported, valueError } from './errors.ts';
import { pyRepr } from './repr.ts';
import { typeName } from './type-name.ts';
import { PyBytes, PyCallable, PyList, PySlice, PyTuple, type PyValue } from './values.ts';

/** `value[index]`. */
export function subscript(value: PyValue, index: PyValue): PyValue {
  countOperations(1);
  if (value instanceof PyDict) {
    const found = value.get(index);
    if (found === undefined) throw new PythonError('KeyError', pyRepr(index));
    return found;
  }
  if (value instanceof PyList || value instanceof PyTuple) {
    const { items } = value;
    if (!(index instanceof PySlice)) return items[position(index, items.length, typeName(value))] as PyValue;
    const picked = pick(index, items.length, (at) => items[at] as PyValue);
    return value instanceof PyList ? new PyList(picked) : new PyTuple(picked);
  }
  if (typeof value === 'string') return subscriptText(value, index);
  if (value instanceof PyBytes) {
    const { bytes } = value;
    if (!(index instanceof PySlice)) return BigInt(bytes[position(index, bytes.length, 'byte')] as number);
    return new PyBytes(Uint8Array.from(pick(index, bytes.length, (at) => bytes[at] as number)));
  }
  if (value instanceof PyCallable && value.type === 'type') {
    if (value.name === 'list' || value.name === 'tuple') throw unsupported('a generic type');
    throw typeError(`type '${value.name}' is not subscriptable`);
  }
  throw typeError(`'${typeName(value)}' object is not subscriptable`);
}

function subscriptText(text: string, index: PyValue): PyValue {
  const source = isSimple(text) ? text : characters(text);
  if (!(index instanceof PySlice)) return source[position(index, source.length, 'string')] as string;
  return pick(index, source.length, (at) => source[at] as string).join('');
}

function position(index: PyValue, length: number, type: string): number {
  if (typeof index !== 'bigint' && typeof index !== 'boolean') {
    const wants = type === 'string' ? `string indices must be integers, not '${typeName(index)}'` : undefined;
    throw typeError(wants ?? `${type} indices must be integers or slices, not ${typeName(index)}`);
  }
  const at = Number(index);
  if (Math.abs(at) >= 2 ** 63) throw new PythonError('IndexError', "cannot fit 'int' into an index-sized integer");
  const found = at < 0 ? at + length : at;
  if (found < 0 || found >= length)
    throw new PythonError('IndexError', type === 'byte' ? 'index out of range' : `${type} index out of range`);
  return found;
}

function pick<T>(slice: PySlice, length: number, itemAt: (index: number) => T): T[] {
  const { start, stop, step } = sliceIndices(slice, length);
  const picked: T[] = [];
  countItems(Math.max(0, Math.ceil((stop - start) / step)));
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) picked.push(itemAt(at));
  return picked;
}

/** The indices that a slice means for a length. */
export function sliceIndices(slice: PySlice, length: number): { readonly start: number; readonly stop: number; readonly step: number } {
  const step = slice.step === null ? 1 : sliceNumber(slice.step);
  if (step === 0) throw valueError('slice step cannot be zero');
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const bound = (value: PyValue, missing: number) => {
    if (value === null) return missing;
    const number = sliceNumber(value);
    return Math.min(most, Math.max(least, number < 0 ? number + length : number));
  };
  const start = bound(slice.start, step > 0 ? least : most);
  return { start, stop: bound(slice.stop, step > 0 ? most : least), step };
}

function sliceNumber(value: PyValue): number {
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  throw typeError('slice indices must be integers or None or have an __index__ method');
}
