import { PythonError } from './errors.ts';
import { PyComplex } from './values.ts';

/** `a ** b` of floats. */
export function powerOfFloats(a: number, b: number): number | PyComplex {
  if (b === 0 || a === 1) return 1;
  if (a === 0 && b < 0) throw new PythonError('ZeroDivisionError', '0.0 cannot be raised to a negative power');
  if (a < 0 && Number.isFinite(a) && Number.isFinite(b) && !Number.isInteger(b)) return complexPower(a, b);
  if (a === -1 && !Number.isFinite(b)) return Number.isNaN(b) ? b : 1;
  const value = a ** b;
  if (!Number.isFinite(value) && Number.isFinite(a) && Number.isFinite(b)) {
    throw new PythonError('OverflowError', "(34, 'Numerical result out of range')");
  }
  return value;
}

function complexPower(a: number, b: number): PyComplex {
  const length = Math.abs(a) ** b;
  if (length === Number.POSITIVE_INFINITY) throw new PythonError('OverflowError', 'complex exponentiation');
  const angle = Math.PI * b;
  return new PyComplex(length * Math.cos(angle), length * Math.sin(angle), true);
}
