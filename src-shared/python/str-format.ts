import { countOperations, countText } from './budget.ts';
import { convert } from './convert.ts';
import { PythonError, unsupported, valueError } from './errors.ts';
import { formatValue } from './format-value.ts';
import { pyRepr } from './repr.ts';
import { subscript } from './subscript.ts';
import type { PyKeywords, PyValue } from './values.ts';

interface Fields {
  readonly positional: readonly PyValue[] | undefined;
  readonly named: (name: string) => PyValue;
  /** The next automatic number; -1 once numbers are written. */
  automatic: number | undefined;
  usesNumbers: boolean;
}

/** `text.format(*args, **keywords)`. */
export function formatFields(text: string, args: readonly PyValue[], keywords?: PyKeywords): string {
  const named = (name: string) => {
    const value = keywords?.get(name);
    if (value === undefined) throw new PythonError('KeyError', pyRepr(name));
    return value;
  };
  return render(text, { positional: args, named, automatic: undefined, usesNumbers: false }, 2);
}

/** `text.format_map(mapping)`. */
export function formatMap(text: string, mapping: PyValue): string {
  return render(text, { positional: undefined, named: (name) => subscript(mapping, name), automatic: undefined, usesNumbers: false }, 2);
}

function render(text: string, fields: Fields, depth: number): string {
  if (depth <= 0) throw valueError('Max string recursion exceeded');
  const cursor = { text, at: 0 };
  let result = '';
  while (cursor.at < text.length) {
    brace.lastIndex = cursor.at;
    const next = brace.exec(text)?.index ?? text.length;
    result += text.slice(cursor.at, next);
    cursor.at = next + 1;
    const character = text[next];
    if (character !== undefined) {
      if (text[cursor.at] === character) {
        result += character;
        cursor.at++;
      } else {
        if (character === '}' || cursor.at >= text.length) throw valueError(`Single '${character}' encountered in format string`);
        result += renderField(readField(cursor), fields, depth);
      }
    }
    countOperations(1);
    countText(result.length / 8);
  }
  return result;
}

const brace = /[{}]/g;

interface Field {
  readonly name: string;
  readonly conversion: string | undefined;
  readonly spec: string;
}

/** Reads a field after its `{`, with its `}`, as CPython's parser does. */
function readField(cursor: { readonly text: string; at: number }): Field {
  const { text } = cursor;
  const begin = cursor.at;
  let end = '';
  while (cursor.at < text.length && end === '') {
    const character = text[cursor.at++] as string;
    if (character === '{') throw valueError("unexpected '{' in field name");
    if (character === '[') while (cursor.at < text.length && text[cursor.at] !== ']') cursor.at++;
    else if ('}:!'.includes(character)) end = character;
  }
  const name = text.slice(begin, cursor.at - 1);
  if (end === '}') return { name, conversion: undefined, spec: '' };
  if (end === '') throw valueError("expected '}' before end of string");
  let conversion: string | undefined;
  if (end === '!') {
    if (cursor.at >= text.length) throw valueError('end of string while looking for conversion specifier');
    conversion = String.fromCodePoint(text.codePointAt(cursor.at) as number);
    cursor.at += conversion.length;
    const after = text[cursor.at++];
    if (after === '}') return { name, conversion, spec: '' };
    if (after !== undefined && after !== ':') throw valueError("expected ':' after conversion specifier");
  }
  return { name, conversion, spec: readSpec(cursor) };
}

function readSpec(cursor: { readonly text: string; at: number }): string {
  const begin = cursor.at;
  for (let depth = 1; cursor.at < cursor.text.length; ) {
    const character = cursor.text[cursor.at++];
    if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return cursor.text.slice(begin, cursor.at - 1);
  }
  throw valueError("unmatched '{' in format spec");
}

function renderField({ name, conversion, spec }: Field, fields: Fields, depth: number): string {
  const value = lookUp(name, fields);
  if (conversion !== undefined && !'rsa'.includes(conversion)) {
    const code = conversion.codePointAt(0) as number;
    throw valueError(`Unknown conversion specifier ${code > 32 && code < 127 ? conversion : `\\x${code.toString(16)}`}`);
  }
  const converted = convert(value, conversion);
  return formatValue(converted, spec.includes('{') ? render(spec, fields, depth - 1) : spec);
}

function lookUp(name: string, fields: Fields): PyValue {
  const first = /^[^.[]*/.exec(name)?.[0] ?? '';
  let value = firstValue(first, fields);
  let rest = name.slice(first.length);
  while (rest !== '') {
    if (/^\.(?:[.[]|$)/.test(rest)) throw valueError('Empty attribute in format string');
    if (rest.startsWith('.')) throw unsupported('attributes in str.format');
    const index = /^\[([^\]]*)\]/.exec(rest);
    if (!index)
      throw valueError(rest.startsWith('[') ? "Missing ']' in format string" : "Only '.' or '[' may follow ']' in format field specifier");
    const [whole, key = ''] = index;
    if (key === '') throw valueError('Empty attribute in format string');
    rest = rest.slice(whole.length);
    value = subscript(value, /^\d+$/.test(key) ? BigInt(key) : key);
  }
  return value;
}

function firstValue(first: string, fields: Fields): PyValue {
  if (first !== '' && !/^\d+$/.test(first)) return fields.named(first);
  if (first === '') {
    if (fields.usesNumbers) throw valueError('cannot switch from manual field specification to automatic field numbering');
    fields.automatic ??= 0;
  } else {
    if (fields.automatic !== undefined) throw valueError('cannot switch from automatic field numbering to manual field specification');
    fields.usesNumbers = true;
  }
  const index = first === '' ? (fields.automatic as number) : Number(first);
  if (first === '') fields.automatic = index + 1;
  if (!fields.positional) throw valueError('Format string contains positional fields');
  const value = fields.positional[index];
  if (value === undefined) throw new PythonError('IndexError', `Replacement index ${index} out of range for positional args tuple`);
  return value;
}
