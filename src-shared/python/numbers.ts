import { countBytes, countOperations, maxIntegerBits } from './budget.ts';
import { PythonError, PythonStop } from './errors.ts';
import { unsupportedOperands } from './operand-error.ts';
import { powerOfFloats } from './power.ts';
import { bitLength, scale } from './scale.ts';
import type { BinaryOperator } from './tree.ts';

const small = 1n << 64n;
const safe = 9007199254740992n;

function isSmall(value: bigint): boolean {
  return value < small && value > -small;
}

/** Counts the work of an operation on long integers. */
function countLong(bits: number): void {
  if (bits > maxIntegerBits) {
    throw new PythonStop('memory', `The expression makes an integer of more than ${maxIntegerBits} bits. Make it a code agent.`);
  }
  countBytes(bits / 8);
  countOperations((bits / 64) ** 2 / 4096);
}

/** An operator on two integers. */
export function integerOperation(operator: BinaryOperator, a: bigint, b: bigint): bigint | number {
  if (operator === '**') return integerPower(a, b);
  if (operator === '<<' || operator === '>>') return shift(operator, a, b);
  if (!isSmall(a) || !isSmall(b)) countLong(bitLength(a) + bitLength(b));
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return divideIntegers(a, b);
    case '//':
      return floorDivide(a, b);
    case '%':
      return modulo(a, b);
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    default:
      throw unsupportedOperands(operator, a, b);
  }
}

function floorDivide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new PythonError('ZeroDivisionError', 'integer division or modulo by zero');
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function modulo(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new PythonError('ZeroDivisionError', 'integer modulo by zero');
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}

function shift(operator: '<<' | '>>', a: bigint, b: bigint): bigint {
  if (b < 0n) throw new PythonError('ValueError', 'negative shift count');
  if (a === 0n) return 0n;
  const bits = bitLength(a);
  if (operator === '>>') return b >= BigInt(bits) + 1n ? (a < 0n ? -1n : 0n) : a >> b;
  countLong(bits + (b > 1n << 40n ? Number.POSITIVE_INFINITY : Number(b)));
  return a << b;
}

function integerPower(a: bigint, b: bigint): bigint | number {
  if (b < 0n) return powerOfFloats(toFloat(a), toFloat(b)) as number;
  if (a === 0n || a === 1n) return b === 0n ? 1n : a;
  if (a === -1n) return b % 2n === 0n ? 1n : -1n;
  if (b === 0n) return 1n;
  if (b > 64n || !isSmall(a)) countLong(bitLength(a) * Number(b));
  return a ** b;
}

/** `a / b`, rounded once. */
function divideIntegers(a: bigint, b: bigint): number {
  if (b === 0n) throw new PythonError('ZeroDivisionError', 'division by zero');
  if (a <= safe && a >= -safe && b <= safe && b >= -safe) return Number(a) / Number(b);
  const negative = a < 0n !== b < 0n;
  const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  // A quotient of 64 bits and more, its last bit telling whether something is left; less precise below the normal range.
  let exponent = bitLength(x) - bitLength(y) - 64;
  if (exponent < -1074 - 2) exponent = -1074 - 2;
  const [numerator, denominator] = exponent < 0 ? [x << BigInt(-exponent), y] : [x, y << BigInt(exponent)];
  const quotient = numerator / denominator;
  const sticky = numerator % denominator === 0n ? quotient : quotient | 1n;
  const value = scale(sticky, exponent);
  if (!Number.isFinite(value)) throw new PythonError('OverflowError', 'integer division result too large for a float');
  return negative ? -value : value;
}

/** An integer as a float, rounded to even. */
export function toFloat(value: bigint | number): number {
  if (typeof value === 'number') return value;
  const float = Number(value);
  if (!Number.isFinite(float)) throw new PythonError('OverflowError', 'int too large to convert to float');
  return float;
}

/** `a % b` of floats: the sign of the divisor, zero included. */
export function moduloFloats(a: number, b: number): number {
  if (b === 0) throw new PythonError('ZeroDivisionError', 'float modulo by zero');
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 !== b < 0 ? rest + b : rest;
}

/** `a // b` of floats. */
export function floorDivideFloats(a: number, b: number): number {
  if (b === 0) throw new PythonError('ZeroDivisionError', 'float floor division by zero');
  let rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0) {
    if (b < 0 !== rest < 0) {
      rest += b;
      quotient -= 1;
    }
  }
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}
