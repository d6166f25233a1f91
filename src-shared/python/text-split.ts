import { asSize } from './argument-types.ts';
import { countItems } from './budget.ts';
import { typeError, valueError } from './errors.ts';
import type { MethodTableBuilder } from './method.ts';
import { trimEnd, trimStart, trimWhitespace, whitespace } from './text-class.ts';
import { splitTimes } from './text-search.ts';
import { isTrue } from './truth.ts';
import { typeName } from './type-name.ts';
import { PyList, PyTuple, type PyValue } from './values.ts';

/** Adds the methods that split a text or strip its ends. */
export function addSplitMethods(builder: MethodTableBuilder<string>): void {
  builder
    .named('split', 'sep=, maxsplit=', (text, separator = null, most = -1n) => list(split(text, separator, asSize(most))))
    .named('rsplit', 'sep=, maxsplit=', (text, separator = null, most = -1n) => list(splitFromEnd(text, separator, asSize(most))))
    .named('splitlines', 'keepends=', (text, keepEnds = false) => list(splitLines(text, isTrue(keepEnds))))
    .one('partition', (text, separator) => partition(text, separator, 'first'))
    .one('rpartition', (text, separator) => partition(text, separator, 'last'))
    .positional('strip', 0, 1, (text, characters = null) => strip(text, 'strip', characters))
    .positional('lstrip', 0, 1, (text, characters = null) => strip(text, 'lstrip', characters))
    .positional('rstrip', 0, 1, (text, characters = null) => strip(text, 'rstrip', characters));
}

function list(items: string[]): PyList {
  countItems(items.length * 2);
  return new PyList(items);
}

function separatorOf(value: PyValue): string {
  if (typeof value !== 'string') throw typeError(`must be str or None, not ${typeName(value)}`);
  if (value === '') throw valueError('empty separator');
  return value;
}

function split(text: string, separator: PyValue, most: number): string[] {
  if (separator !== null) return most < 0 ? text.split(separatorOf(separator)) : splitTimes(text, separatorOf(separator), most);
  const rest = trimStart(text);
  if (rest === '') return [];
  if (most < 0) return trimEnd(rest).split(whitespace());
  const parts: string[] = [];
  let at = 0;
  for (const match of rest.matchAll(whitespace())) {
    if (parts.length === most) break;
    parts.push(rest.slice(at, match.index));
    at = match.index + match[0].length;
  }
  return at < rest.length ? [...parts, rest.slice(at)] : parts;
}

function splitFromEnd(text: string, separator: PyValue, most: number): string[] {
  if (most < 0) return split(text, separator, most);
  if (separator !== null) {
    const wanted = separatorOf(separator);
    const parts: string[] = [];
    let end = text.length;
    while (parts.length < most) {
      const at = end < wanted.length ? -1 : text.lastIndexOf(wanted, end - wanted.length);
      if (at < 0) break;
      parts.unshift(text.slice(at + wanted.length, end));
      end = at;
    }
    return [text.slice(0, end), ...parts];
  }
  const rest = trimEnd(text);
  if (rest === '') return [];
  const gaps = [...rest.matchAll(whitespace())].filter(({ index }) => index > 0);
  const parts: string[] = [];
  let end = rest.length;
  for (const gap of gaps.reverse().slice(0, most)) {
    parts.unshift(rest.slice(gap.index + gap[0].length, end));
    end = gap.index;
  }
  const head = parts.length < most ? trimStart(rest.slice(0, end)) : rest.slice(0, end);
  return head === '' ? parts : [head, ...parts];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Python ends lines at these, too
const lineBreak = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;

function splitLines(text: string, keepEnds: boolean): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const match of text.matchAll(lineBreak)) {
    const end = match.index + match[0].length;
    lines.push(text.slice(at, keepEnds ? end : match.index));
    at = end;
  }
  return at < text.length ? [...lines, text.slice(at)] : lines;
}

function partition(text: string, separator: PyValue, which: 'first' | 'last'): PyTuple {
  if (typeof separator !== 'string') throw typeError(`must be str, not ${typeName(separator)}`);
  if (separator === '') throw valueError('empty separator');
  const at = which === 'first' ? text.indexOf(separator) : text.lastIndexOf(separator);
  if (at < 0) return new PyTuple(which === 'first' ? [text, '', ''] : ['', '', text]);
  return new PyTuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
}

function strip(text: string, name: 'strip' | 'lstrip' | 'rstrip', characters: PyValue): string {
  if (characters === null) return name === 'strip' ? trimWhitespace(text) : name === 'lstrip' ? trimStart(text) : trimEnd(text);
  if (typeof characters !== 'string') throw typeError(`${name} arg must be None or str`);
  const set = new Set(characters);
  const points = Array.from(text);
  let [start, end] = [0, points.length];
  if (name !== 'rstrip') while (start < end && set.has(points[start] as string)) start++;
  if (name !== 'lstrip') while (end > start && set.has(points[end - 1] as string)) end--;
  return points.slice(start, end).join('');
}
