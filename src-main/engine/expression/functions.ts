import type { ExpressionFunction } from '#shared/flow/expression.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Budget } from './budget.ts';
import { equal, shown, textOf } from './operators.ts';
import { roundHalfEven } from './round.ts';

type Implementation = (args: readonly Json[], budget: Budget) => Json;

/** Calls one of the functions of the expression language. Their meaning is Python's. Throws `HandlerError`. */
export function callFunction(name: ExpressionFunction, args: readonly Json[], budget: Budget): Json {
  const { least, most, call } = functions[name];
  if (args.length < least || args.length > most) {
    const wanted = least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`;
    throw failure(`${name}() takes ${wanted} ${wanted === '1' ? 'value' : 'values'}, and is given ${args.length}`);
  }
  return call(args, budget);
}

function failure(message: string): FlowError {
  return new FlowError('HandlerError', `The expression fails: ${message}.`, { retryable: false });
}

const arg = (args: readonly Json[], index: number): Json => args[index] as Json;

function numberArg(name: string, value: Json): number {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'number') throw failure(`${name}() needs a number, and is given ${shown(value)}`);
  return value;
}

function textArg(name: string, value: Json): string {
  if (typeof value !== 'string') throw failure(`${name}() needs a text, and is given ${shown(value)}`);
  return value;
}

function listArg(name: string, value: Json): readonly Json[] {
  if (!Array.isArray(value)) throw failure(`${name}() needs a list, and is given ${shown(value)}`);
  return value as readonly Json[];
}

/** Python's truth: empty texts, lists and objects are false. */
function truthOf(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** What Python would iterate over: a list's items, a text's characters, an object's keys. */
function itemsOf(name: string, value: Json, budget: Budget): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  if (typeof value === 'string') {
    budget.spend(value.length);
    return Array.from(value);
  }
  if (isJsonObject(value)) return Object.keys(value);
  throw failure(`${name}() needs a list, a text or an object, and is given ${shown(value)}`);
}

/** Orders numbers, or texts by code point. Throws for a mixture. */
function order(name: string, left: Json, right: Json): number {
  if (typeof left === 'string' && typeof right === 'string') return orderOfTexts(left, right);
  const scalar = (value: Json) => typeof value === 'number' || typeof value === 'boolean';
  if (scalar(left) && scalar(right)) return Number(left) - Number(right);
  throw failure(`${name}() cannot order ${shown(left)} and ${shown(right)}`);
}

function orderOfTexts(left: string, right: string): number {
  const [one, other] = [left[Symbol.iterator](), right[Symbol.iterator]()];
  for (;;) {
    const [a, b] = [one.next(), other.next()];
    if (a.done || b.done) return Number(b.done ?? false) - Number(a.done ?? false);
    const difference = (a.value.codePointAt(0) as number) - (b.value.codePointAt(0) as number);
    if (difference !== 0) return difference;
  }
}

function extreme(name: 'max' | 'min', args: readonly Json[], budget: Budget): Json {
  const items = args.length === 1 ? itemsOf(name, arg(args, 0), budget) : args;
  if (items.length === 0) throw failure(`${name}() of nothing`);
  budget.spend(items.length);
  const sign = name === 'max' ? 1 : -1;
  return items.reduce((best, item) => (sign * order(name, item, best) > 0 ? item : best));
}

function toInteger(value: Json): number {
  if (typeof value === 'string') {
    if (!/^\s*[+-]?\d+(_\d+)*\s*$/.test(value)) throw failure(`int() cannot read ${shown(value)}`);
    return Number(value.replaceAll('_', ''));
  }
  return Math.trunc(numberArg('int', value));
}

function toFloat(value: Json): number {
  if (typeof value === 'string') {
    if (!/^\s*[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+)?\s*$/i.test(value))
      throw failure(`float() cannot read ${shown(value)}`);
    return Number(value.replaceAll('_', ''));
  }
  return numberArg('float', value);
}

function lengthOf(value: Json): number {
  if (typeof value === 'string') return Array.from(value).length;
  if (Array.isArray(value)) return value.length;
  if (isJsonObject(value)) return Object.keys(value).length;
  throw failure(`len() needs a text, a list or an object, and is given ${shown(value)}`);
}

function contains(holder: Json, wanted: Json, budget: Budget): boolean {
  if (typeof holder === 'string') return holder.includes(textArg('contains', wanted));
  if (Array.isArray(holder)) return holder.some((item) => equal(item, wanted, budget));
  if (isJsonObject(holder)) return Object.hasOwn(holder, textArg('contains', wanted));
  throw failure(`contains() needs a text, a list or an object, and is given ${shown(holder)}`);
}

function split(args: readonly Json[], budget: Budget): Json {
  const text = textArg('split', arg(args, 0));
  budget.spendText(text.length);
  if (args.length === 1) return text.split(/\s+/u).filter((part) => part !== '');
  const separator = textArg('split', arg(args, 1));
  if (separator === '') throw failure('split() needs a separator that is not empty');
  return text.split(separator);
}

function join(args: readonly Json[], budget: Budget): Json {
  const parts = listArg('join', arg(args, 0)).map((item) => {
    const text = textOf(item);
    budget.spendText(text.length);
    return text;
  });
  const separator = args.length === 2 ? textArg('join', arg(args, 1)) : '';
  budget.spendText(separator.length * parts.length);
  return parts.join(separator);
}

function replace(args: readonly Json[], budget: Budget): Json {
  const [text, old, fresh] = [textArg('replace', arg(args, 0)), textArg('replace', arg(args, 1)), textArg('replace', arg(args, 2))];
  budget.spendText(text.length);
  const places = old === '' ? text.length + 1 : text.split(old).length - 1;
  budget.spendText(text.length + places * fresh.length);
  return text.replaceAll(old, () => fresh);
}

function sum(value: Json, budget: Budget): number {
  const items = listArg('sum', value);
  budget.spend(items.length);
  return items.reduce((total: number, item) => total + numberArg('sum', item), 0);
}

function sorted(value: Json, budget: Budget): Json {
  const items = itemsOf('sorted', value, budget);
  budget.spend(items.length * Math.ceil(Math.log2(items.length + 2)));
  if (items.length === 1) return [...items];
  return [...items].sort((left, right) => order('sorted', left, right));
}

function takes(
  least: number,
  most: number,
  call: Implementation,
): { readonly least: number; readonly most: number; readonly call: Implementation } {
  return { least, most, call };
}

const any = Number.POSITIVE_INFINITY;

const functions: Readonly<Record<ExpressionFunction, ReturnType<typeof takes>>> = {
  abs: takes(1, 1, (args) => Math.abs(numberArg('abs', arg(args, 0)))),
  all: takes(1, 1, (args, budget) => itemsOf('all', arg(args, 0), budget).every(truthOf)),
  any: takes(1, 1, (args, budget) => itemsOf('any', arg(args, 0), budget).some(truthOf)),
  bool: takes(1, 1, (args) => truthOf(arg(args, 0))),
  contains: takes(2, 2, (args, budget) => contains(arg(args, 0), arg(args, 1), budget)),
  float: takes(1, 1, (args) => toFloat(arg(args, 0))),
  int: takes(1, 1, (args) => toInteger(arg(args, 0))),
  join: takes(1, 2, join),
  keys: takes(1, 1, (args) => objectArg('keys', arg(args, 0), Object.keys)),
  len: takes(1, 1, (args) => lengthOf(arg(args, 0))),
  list: takes(1, 1, (args, budget) => [...itemsOf('list', arg(args, 0), budget)]),
  lower: takes(1, 1, (args) => textArg('lower', arg(args, 0)).toLowerCase()),
  max: takes(1, any, (args, budget) => extreme('max', args, budget)),
  min: takes(1, any, (args, budget) => extreme('min', args, budget)),
  replace: takes(3, 3, replace),
  round: takes(1, 2, (args) => roundHalfEven(numberArg('round', arg(args, 0)), args.length === 2 ? toInteger(arg(args, 1)) : 0)),
  sorted: takes(1, 1, (args, budget) => sorted(arg(args, 0), budget)),
  split: takes(1, 2, split),
  str: takes(1, 1, (args, budget) => {
    const text = textOf(arg(args, 0));
    budget.spendText(text.length);
    return text;
  }),
  sum: takes(1, 1, (args, budget) => sum(arg(args, 0), budget)),
  trim: takes(1, 1, (args) => textArg('trim', arg(args, 0)).trim()),
  upper: takes(1, 1, (args) => textArg('upper', arg(args, 0)).toUpperCase()),
  values: takes(1, 1, (args) => objectArg('values', arg(args, 0), Object.values)),
};

function objectArg(name: string, value: Json, take: (value: object) => readonly Json[]): Json {
  if (!isJsonObject(value)) throw failure(`${name}() needs an object, and is given ${shown(value)}`);
  return take(value);
}
