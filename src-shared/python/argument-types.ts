import { PythonError, typeError } from './errors.ts';
import { typeName } from './type-name.ts';
import type { PyValue } from './values.ts';

/** An argument that must be an integer, as a bigint. */
export function asInteger(value: PyValue): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return BigInt(value);
  throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`);
}

/** An argument that must fit in C's `ssize_t`. */
export function asSize(value: PyValue, type = 'ssize_t'): number {
  const integer = asInteger(value);
  const bits = type === 'int' ? 32 : 64;
  if (BigInt.asIntN(bits, integer) !== integer) throw new PythonError('OverflowError', `Python int too large to convert to C ${type}`);
  return Number(integer);
}

const notABound = () => typeError('slice indices must be integers or None or have an __index__ method');

/** Bounds as slices have them: `None`, or an integer. */
export function asBound(value: PyValue | undefined, missing: number, error = notABound): number {
  if (value === undefined || value === null) return missing;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  throw error();
}

/** Start and end for a sequence of `length` items. */
export function asRange(
  start: PyValue | undefined,
  end: PyValue | undefined,
  length: number,
  error = notABound,
): readonly [number, number] {
  const within = (index: number) => Math.max(0, index < 0 ? index + length : index);
  return [within(asBound(start, 0, error)), Math.min(length, within(asBound(end, length, error)))];
}

/** The name of an argument's type where CPython writes `None` for `None`. */
export const argumentType = (value: PyValue): string => (value === null ? 'None' : typeName(value));
