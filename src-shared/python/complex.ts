import { PythonError, unsupported } from './errors.ts';
import { toFloat } from './numbers.ts';
import type { BinaryOperator } from './tree.ts';
import { PyComplex } from './values.ts';

type Number_ = PyComplex | bigint | number;

/** An operator with a complex operand; nothing for those that complex numbers lack. */
export function complexOperation(operator: BinaryOperator, left: Number_, right: Number_): PyComplex | undefined {
  const [a, b] = [toComplex(left), toComplex(right)];
  if (a.inexact || b.inexact) throw unsupported('a calculation with a complex power');
  if (operator === '+') return new PyComplex(a.real + b.real, a.imag + b.imag);
  if (operator === '-') return new PyComplex(a.real - b.real, a.imag - b.imag);
  if (operator === '*') return new PyComplex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real);
  if (operator === '/') return divide(a, b);
  if (operator === '**') return power(a, b);
  return undefined;
}

const toComplex = (value: Number_): PyComplex => (value instanceof PyComplex ? value : new PyComplex(toFloat(value), 0));

function divide(a: PyComplex, b: PyComplex): PyComplex {
  const [x, y] = [Math.abs(b.real), Math.abs(b.imag)];
  if (x === 0 && y === 0) throw new PythonError('ZeroDivisionError', 'complex division by zero');
  if (x >= y) {
    const ratio = b.imag / b.real;
    const divisor = b.real + b.imag * ratio;
    return new PyComplex((a.real + a.imag * ratio) / divisor, (a.imag - a.real * ratio) / divisor);
  }
  const ratio = b.real / b.imag;
  const divisor = b.real * ratio + b.imag;
  return new PyComplex((a.real * ratio + a.imag) / divisor, (a.imag * ratio - a.real) / divisor);
}

function power(a: PyComplex, b: PyComplex): PyComplex {
  if (b.real === 0 && b.imag === 0) return new PyComplex(1, 0);
  if (a.real === 0 && a.imag === 0) {
    if (b.imag !== 0 || b.real < 0) throw new PythonError('ZeroDivisionError', '0.0 to a negative or complex power');
    return new PyComplex(0, 0);
  }
  if (![a.real, a.imag, b.real, b.imag].every(Number.isFinite)) throw unsupported('a complex power of infinity or NaN');
  const length = Math.hypot(a.real, a.imag);
  const angle = Math.atan2(a.imag, a.real);
  const size = length ** b.real * Math.exp(-b.imag * angle);
  const turn = b.real * angle + b.imag * Math.log(length);
  if (size > 1e300) throw unsupported('a complex power of that size');
  return new PyComplex(size * Math.cos(turn), size * Math.sin(turn), true);
}
