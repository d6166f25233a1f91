import { binaryOperation } from './arithmetic.ts';
import { typeError } from './errors.ts';
import { iterate } from './iterate.ts';
import { namedSignature } from './method.ts';
import { bindBuiltin } from './signature.ts';
import { PyBytes, PyComplex, type PyKeywords, type PyNext, type PyValue } from './values.ts';

const signature = namedSignature('iterable, /, start=');

/** `sum(xs, start=0)`. From the first float on, floats are added with compensation (Python 3.12). */
export function sum(args: PyValue[], keywords?: PyKeywords): PyValue {
  const [iterable, start = 0n] = bindBuiltin('sum', signature, args, keywords) as [PyValue, PyValue | undefined];
  const next = iterate(iterable);
  if (typeof start === 'string') throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
  if (start instanceof PyBytes) throw typeError("sum() can't sum bytes [use b''.join(seq) instead]");
  let total: PyValue = start;
  let value = next();
  while (value !== undefined && (typeof total === 'bigint' || typeof total === 'boolean') && !(value instanceof PyComplex)) {
    total = binaryOperation('+', total, value);
    value = next();
  }
  if (typeof total === 'number') return sumFloats(total, value, next);
  for (; value !== undefined; value = next()) total = binaryOperation('+', total, value);
  return total;
}

/** Neumaier's compensated sum, as CPython's `float_` fast path. */
function sumFloats(start: number, first: PyValue | undefined, next: PyNext): PyValue {
  let high = start;
  let low = 0;
  const finish = () => (low !== 0 && Number.isFinite(low) ? high + low : high);
  for (let value = first; value !== undefined; value = next()) {
    if (typeof value === 'number') {
      const total = high + value;
      low += Math.abs(high) >= Math.abs(value) ? high - total + value : value - total + high;
      high = total;
    } else if ((typeof value === 'bigint' || typeof value === 'boolean') && isLong(BigInt(value))) {
      high += Number(value);
    } else {
      let total = binaryOperation('+', finish(), value);
      for (let rest = next(); rest !== undefined; rest = next()) total = binaryOperation('+', total, rest);
      return total;
    }
  }
  return finish();
}

/** What fits in C's `long`. */
const isLong = (value: bigint) => BigInt.asIntN(64, value) === value;
