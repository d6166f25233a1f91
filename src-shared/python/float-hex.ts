import { decompose } from './decimal.ts';
import { PythonError, valueError } from './errors.ts';
import { floatRepr } from './float-repr.ts';
import { scale } from './scale.ts';

/** `value.hex()`. */
export function floatHex(value: number): string {
  if (!Number.isFinite(value)) return floatRepr(value);
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (value === 0) return `${sign}0x0.0p+0`;
  const { mantissa, exponent } = decompose(value);
  const whole = mantissa >> 52n;
  const power = exponent + 52;
  return `${sign}0x${whole}.${(mantissa & 0xfffffffffffffn).toString(16).padStart(13, '0')}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}

/** `float.fromhex(text)`. */
export function floatFromHex(text: string): number {
  const special = /^\s*([-+]?)(inf|infinity|nan)\s*$/i.exec(text);
  if (special) {
    const value = special[2]?.toLowerCase() === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY;
    return special[1] === '-' ? -value : value;
  }
  const match = /^[ \t\n\v\f\r]*([-+]?)(?:0x)?([0-9a-f]*)(?:\.([0-9a-f]*))?(?:p([-+]?\d+))?[ \t\n\v\f\r]*$/i.exec(text);
  const [, sign, whole = '', fraction = '', power = '0'] = match ?? [];
  if (!match || whole + fraction === '') throw valueError('invalid hexadecimal floating-point string');
  const exponent = Math.max(-5000, Math.min(5000, Number(power))) - fraction.length * 4;
  const value = scale(BigInt(`0x${whole}${fraction}`), exponent);
  if (!Number.isFinite(value)) throw new PythonError('OverflowError', 'hexadecimal value too large to represent as a float');
  return sign === '-' ? -value : value;
}
