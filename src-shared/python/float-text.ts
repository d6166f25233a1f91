import { countText } from './budget.ts';
import { scaledInteger } from './decimal.ts';
import { floatRepr } from './float-repr.ts';

/** How a float is written: as C's `f`, `e`, `g`, or as `repr` writes it. */
export interface FloatStyle {
  readonly type: 'f' | 'e' | 'g' | 'r';
  readonly precision: number;
  /** `#`: keep the point and the zeros of `g`. */
  readonly alternate: boolean;
  /** Write `.0` after a whole number, and switch to the exponent one digit earlier. */
  readonly addsPointZero: boolean;
}

/** The absolute value of a float as text: `inf` and `nan` included, without a sign. */
export function floatText(value: number, { type, precision, alternate, addsPointZero }: FloatStyle): string {
  if (Number.isNaN(value)) return 'nan';
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return 'inf';
  countText(precision + 400);
  if (type === 'r') return alternate ? floatRepr(size).replace(/^(\d+)e/, '$1.e') : floatRepr(size);
  if (type === 'f') return fixed(size, precision, alternate);
  const wanted = type === 'e' ? precision : Math.max(precision, 1) - 1;
  const { digits, exponent } = significant(size, wanted);
  if (type === 'e') return withExponent(digits, exponent, alternate);
  const most = Math.max(precision, 1) - (addsPointZero ? 1 : 0);
  if (exponent < -4 || exponent >= most) return withExponent(alternate ? digits : trimZeros(digits), exponent, alternate);
  const text = placePoint(digits, exponent);
  const short = alternate ? text : text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  if (addsPointZero && !short.includes('.')) return `${short}.0`;
  return alternate && !short.includes('.') ? `${short}.` : short;
}

const trimZeros = (digits: string) => digits.replace(/(?<=.)0+$/, '');

function fixed(size: number, precision: number, alternate: boolean): string {
  const digits = scaledInteger(size, precision)
    .toString()
    .padStart(precision + 1, '0');
  if (precision === 0) return alternate ? `${digits}.` : digits;
  return `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

/** The first `after + 1` digits, rounded, and the power of ten of the first one. */
function significant(size: number, after: number): { readonly digits: string; readonly exponent: number } {
  if (size === 0) return { digits: '0'.repeat(after + 1), exponent: 0 };
  // The shortest digits never round up to the next power of ten.
  const exponent = Number(size.toExponential().split('e')[1]);
  const digits = scaledInteger(size, after - exponent).toString();
  return digits.length > after + 1 ? { digits: digits.slice(0, -1), exponent: exponent + 1 } : { digits, exponent };
}

function withExponent(digits: string, exponent: number, alternate: boolean): string {
  const point = digits.length > 1 || alternate ? `.${digits.slice(1)}` : '';
  return `${digits[0]}${point}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function placePoint(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const rest = digits.slice(exponent + 1);
  return rest ? `${whole}.${rest}` : whole;
}
