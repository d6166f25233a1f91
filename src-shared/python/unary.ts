import { typeError } from './errors.ts';
import { isTrue } from './truth.ts';
import { typeName } from './type-name.ts';
import { PyComplex, type PyValue } from './values.ts';

/** `-a`, `+a`, `~a`, `not a`. */
export function unaryOperation(operator: '-' | '+' | '~' | 'not', value: PyValue): PyValue {
  if (operator === 'not') return !isTrue(value);
  const number = typeof value === 'boolean' ? BigInt(value) : value;
  if (typeof number === 'bigint') return operator === '-' ? -number : operator === '+' ? number : ~number;
  if (operator !== '~') {
    if (typeof number === 'number') return operator === '-' ? -number : number;
    if (number instanceof PyComplex) return operator === '-' ? new PyComplex(-number.real, -number.imag, number.inexact) : number;
  }
  throw typeError(`bad operand type for unary ${operator}: '${typeName(value)}'`);
}
