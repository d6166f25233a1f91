import { argumentType, asBound, asSize } from './argument-types.ts';
import { countOperations, countText } from './budget.ts';
import { isSimple, textLength, unitOffset } from './code-points.ts';
import { typeError, valueError } from './errors.ts';
import type { MethodTableBuilder } from './method.ts';
import { typeName } from './type-name.ts';
import { PyTuple, type PyValue } from './values.ts';

/** Adds the methods that look for a part of a text. */
export function addSearchMethods(builder: MethodTableBuilder<string>): void {
  builder
    .positional('count', 1, 3, (text, ...args) => BigInt(countIn(within(text, 'count', args))))
    .positional('find', 1, 3, (text, ...args) => BigInt(position(within(text, 'find', args), 'first')))
    .positional('rfind', 1, 3, (text, ...args) => BigInt(position(within(text, 'rfind', args), 'last')))
    .positional('index', 1, 3, (text, ...args) => found(position(within(text, 'index', args), 'first')))
    .positional('rindex', 1, 3, (text, ...args) => found(position(within(text, 'rindex', args), 'last')))
    .positional('startswith', 1, 3, (text, ...args) => matches(text, 'startswith', args))
    .positional('endswith', 1, 3, (text, ...args) => matches(text, 'endswith', args))
    .one('removeprefix', (text, prefix) => {
      const start = textArgument('removeprefix', prefix);
      return start !== '' && text.startsWith(start) ? text.slice(start.length) : text;
    })
    .one('removesuffix', (text, suffix) => {
      const end = textArgument('removesuffix', suffix);
      return end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text;
    })
    .named('replace', 'old, new, /, count=', (text, old, replacement, count = -1n) =>
      replace(text, replaceArgument(old, 1), replaceArgument(replacement, 2), asSize(count)),
    );
}

const textArgument = (name: string, value: PyValue): string => {
  if (typeof value !== 'string') throw typeError(`${name}() argument must be str, not ${argumentType(value)}`);
  return value;
};

const replaceArgument = (value: PyValue | undefined, position: number): string => {
  if (typeof value !== 'string') throw typeError(`replace() argument ${position} must be str, not ${argumentType(value as PyValue)}`);
  return value;
};

interface Search {
  /** The part of the text that is searched, and the index at which it begins. */
  readonly part: string;
  readonly start: number;
  readonly wanted: string;
  /** False when the range is beyond the text, where not even the empty text is. */
  readonly isInside: boolean;
}

function range(text: string, start: PyValue | undefined, end: PyValue | undefined) {
  if (start === undefined && end === undefined) return { part: text, start: 0, isInside: true };
  const length = textLength(text);
  const from = bound(asBound(start, 0), length);
  const to = Math.min(length, bound(asBound(end, length), length));
  return { part: text.slice(unitOffset(text, from), unitOffset(text, Math.max(from, to))), start: from, isInside: from <= to };
}

const bound = (index: number, length: number) => Math.max(0, index < 0 ? index + length : index);

function within(text: string, name: string, [wanted, start, end]: readonly (PyValue | undefined)[]): Search {
  if (typeof wanted !== 'string') throw typeError(`${name}() argument 1 must be str, not ${argumentType(wanted as PyValue)}`);
  countOperations(text.length / 256);
  return { ...range(text, start, end), wanted };
}

function position({ part, start, wanted, isInside }: Search, which: 'first' | 'last'): number {
  const at = !isInside ? -1 : which === 'first' ? part.indexOf(wanted) : part.lastIndexOf(wanted);
  if (at < 0) return -1;
  return start + (isSimple(part) ? at : textLength(part.slice(0, at)));
}

function found(index: number): bigint {
  if (index < 0) throw valueError('substring not found');
  return BigInt(index);
}

function countIn({ part, wanted, isInside }: Search): number {
  if (!isInside) return 0;
  if (wanted === '') return textLength(part) + 1;
  let count = 0;
  for (let at = part.indexOf(wanted); at >= 0; at = part.indexOf(wanted, at + wanted.length)) count++;
  return count;
}

function matches(text: string, name: 'startswith' | 'endswith', [wanted, start, end]: readonly (PyValue | undefined)[]): boolean {
  const { part, isInside } = range(text, start, end);
  const test = (value: string) => isInside && (name === 'startswith' ? part.startsWith(value) : part.endsWith(value));
  if (typeof wanted === 'string') return test(wanted);
  if (!(wanted instanceof PyTuple)) {
    throw typeError(`${name} first arg must be str or a tuple of str, not ${typeName(wanted as PyValue)}`);
  }
  return wanted.items.some((item) => {
    if (typeof item !== 'string') throw typeError(`tuple for ${name} must only contain str, not ${typeName(item)}`);
    return test(item);
  });
}

function replace(text: string, old: string, replacement: string, count: number): string {
  if (old === '') return interleave(text, replacement, count);
  const parts = count < 0 ? text.split(old) : splitTimes(text, old, count);
  countText(text.length + (parts.length - 1) * Math.max(0, replacement.length - old.length));
  return parts.join(replacement);
}

/** Splits at the first `count` places. */
export function splitTimes(text: string, separator: string, count: number): string[] {
  const parts: string[] = [];
  let at = 0;
  while (parts.length < count) {
    const next = text.indexOf(separator, at);
    if (next < 0) break;
    parts.push(text.slice(at, next));
    at = next + separator.length;
  }
  return [...parts, text.slice(at)];
}

function interleave(text: string, replacement: string, count: number): string {
  const length = textLength(text);
  const times = count < 0 ? length + 1 : Math.min(count, length + 1);
  countText(text.length + times * replacement.length);
  let result = '';
  let index = 0;
  for (const character of text) result += (index++ < times ? replacement : '') + character;
  return index < times ? result + replacement : result;
}
