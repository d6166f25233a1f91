import { textLength } from './code-points.ts';
import { PyDict } from './dict.ts';
import { typeError, unsupported } from './errors.ts';
import { iterate } from './iterate.ts';
import { PySet } from './set.ts';
import { bindBuiltin } from './signature.ts';
import { isTrue } from './truth.ts';
import { typeName } from './type-name.ts';
import { PyBytes, PyComplex, PyDictView, type PyKeywords, PyList, PyTuple, type PyValue } from './values.ts';

const single = (name: string, args: PyValue[], keywords?: PyKeywords): PyValue =>
  bindBuiltin(name, { kind: 'one' }, args, keywords)[0] as PyValue;

/** `abs(x)`. */
export function absolute(args: PyValue[], keywords?: PyKeywords): PyValue {
  const value = single('abs', args, keywords);
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'bigint') return value < 0n ? -value : value;
  if (typeof value === 'boolean') return BigInt(value);
  if (value instanceof PyComplex) throw unsupported('the size of a complex number');
  throw typeError(`bad operand type for abs(): '${typeName(value)}'`);
}

/** `len(x)`. */
export function length(args: PyValue[], keywords?: PyKeywords): PyValue {
  const value = single('len', args, keywords);
  if (typeof value === 'string') return BigInt(textLength(value));
  if (value instanceof PyList || value instanceof PyTuple) return BigInt(value.items.length);
  if (value instanceof PyDict || value instanceof PySet) return BigInt(value.size);
  if (value instanceof PyDictView) return BigInt(value.dict.size);
  if (value instanceof PyBytes) return BigInt(value.bytes.length);
  throw typeError(`object of type '${typeName(value)}' has no len()`);
}

/** `all(xs)`. */
export function all(args: PyValue[], keywords?: PyKeywords): PyValue {
  return every(single('all', args, keywords), true);
}

/** `any(xs)`. */
export function any(args: PyValue[], keywords?: PyKeywords): PyValue {
  return !every(single('any', args, keywords), false);
}

function every(values: PyValue, expected: boolean): boolean {
  if (values instanceof PySet) return [...values.unordered()].every((value) => isTrue(value) === expected);
  const next = iterate(values);
  for (let value = next(); value !== undefined; value = next()) if (isTrue(value) !== expected) return false;
  return true;
}
