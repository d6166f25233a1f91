import { countOperations } from './budget.ts';
import { complexOperation } from './complex.ts';
import { PyDict } from './dict.ts';
import { PythonError, unsupported } from './errors.ts';
import { floorDivideFloats, integerOperation, moduloFloats, toFloat } from './numbers.ts';
import { unsupportedOperands } from './operand-error.ts';
import { formatPercent } from './percent-format.ts';
import { powerOfFloats } from './power.ts';
import { concatenate, repeat } from './sequences.ts';
import { PySet } from './set.ts';
import { difference, intersection, symmetricDifference, toSet, union } from './set-operations.ts';
import type { BinaryOperator } from './tree.ts';
import { PyBytes, PyCallable, PyComplex, PyDictView, type PyValue } from './values.ts';
import { differingItems, viewIntersection } from './view-operations.ts';

/** `a + b` and its like. */
export function binaryOperation(operator: BinaryOperator, a: PyValue, b: PyValue): PyValue {
  countOperations(1);
  if (operator === '@') throw unsupportedOperands(operator, a, b);
  if (typeof a === 'number' && typeof b === 'number') return floatOperation(operator, a, b);
  const x = typeof a === 'boolean' ? BigInt(a) : a;
  const y = typeof b === 'boolean' ? BigInt(b) : b;
  if (typeof x === 'bigint' && typeof y === 'bigint') {
    if (typeof a === 'boolean' && typeof b === 'boolean' && (operator === '&' || operator === '|' || operator === '^')) {
      return operator === '&' ? a && b : operator === '|' ? a || b : a !== b;
    }
    return integerOperation(operator, x, y);
  }
  const xIsNumber = typeof x === 'bigint' || typeof x === 'number';
  const yIsNumber = typeof y === 'bigint' || typeof y === 'number';
  if (xIsNumber && yIsNumber) {
    if (!isFloatOperator(operator)) throw unsupportedOperands(operator, a, b);
    return floatOperation(operator, toFloat(x), toFloat(y));
  }
  if ((x instanceof PyComplex && (yIsNumber || y instanceof PyComplex)) || (y instanceof PyComplex && xIsNumber)) {
    const result = complexOperation(operator, x as PyComplex | bigint | number, y as PyComplex | bigint | number);
    if (result) return result;
  }
  return otherOperation(operator, a, b);
}

const floatOperators = new Set<BinaryOperator>(['+', '-', '*', '/', '//', '%', '**']);
const isFloatOperator = (operator: BinaryOperator) => floatOperators.has(operator);

function floatOperation(operator: BinaryOperator, a: number, b: number): PyValue {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      if (b === 0) throw new PythonError('ZeroDivisionError', 'float division by zero');
      return a / b;
    case '//':
      return floorDivideFloats(a, b);
    case '%':
      return moduloFloats(a, b);
    case '**':
      return powerOfFloats(a, b);
    default:
      throw unsupportedOperands(operator, a, b);
  }
}

function otherOperation(operator: BinaryOperator, a: PyValue, b: PyValue): PyValue {
  if (operator === '%' && typeof a === 'string') return formatPercent(a, b);
  if (operator === '%' && a instanceof PyBytes) throw unsupported("'%' with bytes");
  if (operator === '+') {
    const joined = concatenate(a, b);
    if (joined !== undefined) return joined;
  }
  if (operator === '*') {
    const repeated = repeat(a, b) ?? repeat(b, a);
    if (repeated !== undefined) return repeated;
  }
  if (operator === '|' && a instanceof PyDict && b instanceof PyDict) return PyDict.of([...a.entries(), ...b.entries()]);
  if (operator === '-' || operator === '&' || operator === '|' || operator === '^') {
    const result = setOperation(operator, a, b);
    if (result) return result;
  }
  if (operator === '|' && [a, b].some((value) => value instanceof PyCallable && value.type === 'type'))
    throw unsupported('a union of types');
  throw unsupportedOperands(operator, a, b);
}

function setOperation(operator: '-' | '&' | '|' | '^', a: PyValue, b: PyValue): PySet | undefined {
  if (a instanceof PySet && b instanceof PySet) return combineSets(operator, a, b);
  if (!isSetView(a) && !isSetView(b)) return undefined;
  if (operator === '&') return isSetView(a) ? viewIntersection(a, b) : viewIntersection(b as PyDictView, a);
  if (operator === '^' && isItems(a) && isItems(b)) return differingItems(a.dict, b.dict);
  // A view takes any iterable.
  return combineSets(operator, toSet(a), toSet(b));
}

const isSetView = (value: PyValue): value is PyDictView => value instanceof PyDictView && value.kind !== 'values';
const isItems = (value: PyValue): value is PyDictView => value instanceof PyDictView && value.kind === 'items';

function combineSets(operator: '-' | '&' | '|' | '^', a: PySet, b: PySet): PySet {
  if (operator === '-') return difference(a, b);
  if (operator === '&') return intersection(a, b);
  return operator === '|' ? union(a, b) : symmetricDifference(a, b);
}
