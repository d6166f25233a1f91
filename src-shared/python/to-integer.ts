import { PythonError, valueError } from './errors.ts';

/** `int(float)`. */
export function truncate(value: number): bigint {
  if (Number.isNaN(value)) throw valueError('cannot convert float NaN to integer');
  if (!Number.isFinite(value)) throw new PythonError('OverflowError', 'cannot convert float infinity to integer');
  return BigInt(Math.trunc(value));
}
