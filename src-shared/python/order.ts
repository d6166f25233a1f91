import { countOperations } from './budget.ts';
import { isSame, isSetLike, isWithin, type SetLike, sizeOf } from './equality.ts';
import { typeError } from './errors.ts';
import { typeName } from './type-name.ts';
import { PyBytes, PyList, PyTuple, type PyValue } from './values.ts';

/** An operator that orders. */
export type OrderOperator = '<' | '<=' | '>' | '>=';

/** `a < b` and its like. */
export function compareOrder(operator: OrderOperator, a: PyValue, b: PyValue): boolean {
  countOperations(1);
  const x = typeof a === 'boolean' ? BigInt(a) : a;
  const y = typeof b === 'boolean' ? BigInt(b) : b;
  // Comparisons of bigint and number are exact, as Python's are.
  if ((typeof x === 'bigint' || typeof x === 'number') && (typeof y === 'bigint' || typeof y === 'number')) {
    return operator === '<' ? x < y : operator === '<=' ? x <= y : operator === '>' ? x > y : x >= y;
  }
  if (typeof x === 'string' && typeof y === 'string') return holds(operator, compareText(x, y));
  if ((x instanceof PyList && y instanceof PyList) || (x instanceof PyTuple && y instanceof PyTuple)) {
    return compareItems(operator, x.items, y.items);
  }
  if (x instanceof PyBytes && y instanceof PyBytes) {
    return holds(operator, compareText(String.fromCharCode(...x.bytes), String.fromCharCode(...y.bytes)));
  }
  if (isSetLike(x) && isSetLike(y)) return compareSets(operator, x, y);
  throw typeError(`'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

function holds(operator: OrderOperator, order: number): boolean {
  return operator === '<' ? order < 0 : operator === '<=' ? order <= 0 : operator === '>' ? order > 0 : order >= 0;
}

/** True for texts only and for numbers only: different elements of a set have one order, wherever they start. */
export function hasOneOrder(items: readonly PyValue[]): boolean {
  return (
    items.every((item) => typeof item === 'string') ||
    items.every((item) => typeof item === 'bigint' || typeof item === 'boolean' || typeof item === 'number')
  );
}

/** Compares by code points: -1, 0 or 1. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  countOperations(Math.min(a.length, b.length) / 256);
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (x === y) continue;
    // Surrogates stand for code points above all others.
    return rank(x) < rank(y) ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

const rank = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

function compareItems(operator: OrderOperator, a: readonly PyValue[], b: readonly PyValue[]): boolean {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [x, y] = [a[index] as PyValue, b[index] as PyValue];
    if (!isSame(x, y)) return compareOrder(operator, x, y);
  }
  return holds(operator, a.length - b.length);
}

function compareSets(operator: OrderOperator, a: SetLike, b: SetLike): boolean {
  if (operator === '>' || operator === '>=') return compareSets(operator === '>' ? '<' : '<=', b, a);
  return (operator === '<=' || sizeOf(a) < sizeOf(b)) && isWithin(a, b);
}
