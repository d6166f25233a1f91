import { countOperations } from './budget.ts';
import { decompose } from './decimal.ts';
import { PythonError } from './errors.ts';
import { scale } from './scale.ts';
import { PyComplex } from './values.ts';

/**
 * `a ** b` of floats, correctly rounded. JavaScript's own `**` is often off by a bit; C libraries, on which Python relies, very
 * seldom.
 */
export function powerOfFloats(a: number, b: number): number | PyComplex {
  if (b === 0 || a === 1) return 1;
  if (a === 0 && b < 0) throw new PythonError('ZeroDivisionError', '0.0 cannot be raised to a negative power');
  if (a < 0 && Number.isFinite(a) && Number.isFinite(b) && !Number.isInteger(b)) return complexPower(a, b);
  if (a === -1 && !Number.isFinite(b)) return Number.isNaN(b) ? b : 1;
  if (a === 0 || !Number.isFinite(a) || !Number.isFinite(b)) return a ** b;
  const size = positivePower(Math.abs(a), b);
  if (!Number.isFinite(size)) throw new PythonError('OverflowError', "(34, 'Numerical result out of range')");
  return a < 0 && Math.abs(b % 2) === 1 ? -size : size;
}

function positivePower(a: number, b: number): number {
  if (b === 1) return a;
  if (b === 2) return a * a;
  if (b === 0.5) return Math.sqrt(a);
  if (b === -1) return 1 / a;
  if (Number.isInteger(b) && b > 0 && b <= 256) {
    countOperations(1 + b / 16);
    const { mantissa, exponent } = decompose(a);
    return scale(mantissa ** BigInt(b), exponent * b);
  }
  countOperations(20);
  return exponential(b, logarithm(a));
}

/** Fixed point: this many bits after the point, of which about 50 are lost for numbers next to 1. */
const places = 220;
const one = 1n << BigInt(places);
const times = (a: bigint, b: bigint) => (a * b) >> BigInt(places);

/** `2 * atanh(s)`, the logarithm of `(1 + s) / (1 - s)`. */
function doubleArea(s: bigint): bigint {
  const square = times(s, s);
  let sum = 0n;
  let power = s;
  for (let divisor = 1n; power !== 0n && power !== -1n; divisor += 2n) {
    sum += power / divisor;
    power = times(power, square);
  }
  return 2n * sum;
}

const logarithmOf2 = doubleArea(one / 3n);

/** The natural logarithm of a positive float, in fixed point. */
function logarithm(value: number): bigint {
  const { mantissa, exponent } = decompose(value);
  const bits = mantissa.toString(2).length;
  let power = exponent + bits;
  let fraction = mantissa << BigInt(places - bits);
  // Between 3/4 and 3/2.
  if (fraction * 4n < one * 3n) {
    fraction *= 2n;
    power--;
  }
  return doubleArea(((fraction - one) << BigInt(places)) / (fraction + one)) + BigInt(power) * logarithmOf2;
}

/** `e ** (factor * logarithm)`. */
function exponential(factor: number, log: bigint): number {
  const { mantissa, exponent } = decompose(factor);
  const product = (factor < 0 ? -mantissa : mantissa) * log;
  const argument = exponent < 0 ? product >> BigInt(-exponent) : product << BigInt(exponent);
  const power = argument / logarithmOf2;
  if (power > 1100n) return Number.POSITIVE_INFINITY;
  if (power < -1200n) return 0;
  const halvings = 8n;
  const rest = (argument - power * logarithmOf2) >> halvings;
  let sum = one;
  let term = one;
  for (let count = 1n; term !== 0n && term !== -1n; count++) {
    term = times(term, rest) / count;
    sum += term;
  }
  for (let count = 0n; count < halvings; count++) sum = times(sum, sum);
  return scale(sum, Number(power) - places);
}

function complexPower(a: number, b: number): PyComplex {
  const length = Math.abs(a) ** b;
  if (length === Number.POSITIVE_INFINITY) throw new PythonError('OverflowError', 'complex exponentiation');
  const angle = Math.PI * b;
  return new PyComplex(length * Math.cos(angle), length * Math.sin(angle), true);
}
