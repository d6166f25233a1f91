import { roundToDigits } from './decimal.ts';
import { PythonError, typeError, valueError } from './errors.ts';
import { namedSignature } from './method.ts';
import { integerOperation } from './numbers.ts';
import { bindBuiltin } from './signature.ts';
import { typeName } from './type-name.ts';
import type { PyKeywords, PyValue } from './values.ts';

const signature = namedSignature('number, ndigits=');

/** `round(x, ndigits=None)`: half to even, on the exact binary value. */
export function round(args: PyValue[], keywords?: PyKeywords): PyValue {
  const [number, digits = null] = bindBuiltin('round', signature, args, keywords) as [PyValue, PyValue | undefined];
  if (typeof number === 'number') return roundFloat(number, digits);
  if (typeof number === 'bigint' || typeof number === 'boolean') return roundInteger(BigInt(number), digits);
  throw typeError(`type ${typeName(number)} doesn't define __round__ method`);
}

function digitCount(digits: PyValue): bigint {
  if (typeof digits === 'bigint' || typeof digits === 'boolean') return BigInt(digits);
  throw typeError(`'${typeName(digits)}' object cannot be interpreted as an integer`);
}

function roundFloat(value: number, digits: PyValue): PyValue {
  if (digits === null) {
    if (Number.isNaN(value)) throw valueError('cannot convert float NaN to integer');
    if (!Number.isFinite(value)) throw new PythonError('OverflowError', 'cannot convert float infinity to integer');
    const floor = Math.floor(value);
    const rest = value - floor;
    return BigInt(rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor);
  }
  const count = digitCount(digits);
  if (!Number.isFinite(value) || value === 0 || count > 323n) return value;
  if (count < -308n) return value < 0 ? -0 : 0;
  const rounded = roundToDigits(value, Number(count));
  if (!Number.isFinite(rounded)) throw new PythonError('OverflowError', 'rounded value too large to represent');
  return rounded;
}

function roundInteger(value: bigint, digits: PyValue): PyValue {
  if (digits === null) return value;
  const count = digitCount(digits);
  if (count >= 0n) return value;
  const unit = integerOperation('**', 10n, -count) as bigint;
  const size = value < 0n ? -value : value;
  let quotient = size / unit;
  const rest = (size % unit) * 2n;
  if (rest > unit || (rest === unit && quotient % 2n === 1n)) quotient += 1n;
  return value < 0n ? -quotient * unit : quotient * unit;
}
