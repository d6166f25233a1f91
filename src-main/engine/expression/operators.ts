import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Budget } from './budget.ts';

function mismatch(operator: string, left: Json, right: Json): FlowError {
  return new FlowError('HandlerError', `The expression fails: ${operator} cannot take ${shown(left)} and ${shown(right)}.`, {
    retryable: false,
  });
}

/** A value as a message shows it. */
export function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The text of a value: a text as it is, everything else as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The sum of two numbers, or two texts one after the other, of which one may be a number or a truth value. */
export function add(left: Json, right: Json, budget: Budget): Json {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  const texts = typeof left === 'string' || typeof right === 'string';
  if (!texts || typeof left === 'object' || typeof right === 'object') throw mismatch('+', left, right);
  const text = `${left}${right}`;
  budget.spendText(text.length);
  return text;
}

export function arithmetic(operator: '-' | '*' | '/' | '%' | '**', left: Json, right: Json): number {
  if (typeof left !== 'number' || typeof right !== 'number') throw mismatch(operator, left, right);
  switch (operator) {
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    case '**':
      return left ** right;
  }
}

export function compare(operator: '<' | '<=' | '>' | '>=', left: Json, right: Json): boolean {
  const comparable = (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string');
  if (!comparable) throw mismatch(operator, left, right);
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

/** Equality of values: lists and objects are looked into. */
export function equal(left: Json, right: Json, budget: Budget): boolean {
  budget.spend(1);
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equal(item, right[index] as Json, budget));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && equal(left[key] as Json, right[key] as Json, budget));
}

/** JavaScript's `==` between scalars (`1 == "1"`), equality of values otherwise. */
export function looselyEqual(left: Json, right: Json, budget: Budget): boolean {
  if (typeof left === 'object' || typeof right === 'object') return equal(left, right, budget);
  // biome-ignore lint/suspicious/noDoubleEquals: the expression language has this operator, with this meaning.
  return left == right;
}
