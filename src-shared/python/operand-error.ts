import { type PythonError, typeError } from './errors.ts';
import type { BinaryOperator } from './tree.ts';
import { typeName } from './type-name.ts';
import { PyBytes, PyList, PyTuple, type PyValue } from './values.ts';

/** `unsupported operand type(s) for …`, with Python's wording for each operator and text. */
export function unsupportedOperands(operator: BinaryOperator, a: PyValue, b: PyValue): PythonError {
  const named = operator === '**' ? '** or pow()' : operator;
  if (operator === '+') {
    const sequence = typeof a === 'string' || a instanceof PyList || a instanceof PyTuple;
    if (sequence) return typeError(`can only concatenate ${typeName(a)} (not "${typeName(b)}") to ${typeName(a)}`);
    if (a instanceof PyBytes) return typeError(`can't concat ${typeName(b)} to bytes`);
  }
  const isSequence = (value: PyValue) =>
    typeof value === 'string' || value instanceof PyList || value instanceof PyTuple || value instanceof PyBytes;
  if (operator === '*') {
    if (isSequence(a)) return typeError(`can't multiply sequence by non-int of type '${typeName(b)}'`);
    if (isSequence(b)) return typeError(`can't multiply sequence by non-int of type '${typeName(a)}'`);
  }
  return typeError(`unsupported operand type(s) for ${named}: '${typeName(a)}' and '${typeName(b)}'`);
}
