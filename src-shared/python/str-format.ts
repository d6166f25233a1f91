import { countOperations, countText } from './budget.ts';
import { convert } from './convert.ts';
import { PyDict } from './dict.ts';
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
  const named = (name: string) => {
    if (!(mapping instanceof PyDict)) return subscript(mapping, name);
    return subscript(mapping, name);
  };
  return render(text, { positional: undefined, named, automatic: undefined, usesNumbers: false }, 2);
}

function render(text: string, fields: Fields, depth: number): string {
  if (depth < 0) throw valueError('Max string recursion exceeded');
  let result = '';
  let at = 0;
  while (at < text.length) {
    const character = text[at] as string;
    if (character !== '{' && character !== '}') {
      const next = /[{}]/g;
      next.lastIndex = at;
      const end = next.exec(text)?.index ?? text.length;
      result += text.slice(at, end);
      at = end;
    } else if (text[at + 1] === character) {
      result += character;
      at += 2;
    } else {
      if (character === '}') throw valueError("Single '}' encountered in format string");
      if (at + 1 >= text.length) throw valueError("Single '{' encountered in format string");
      const end = fieldEnd(text, at + 1);
      result += renderField(text.slice(at + 1, end), fields, depth);
      at = end + 1;
    }
    countOperations(1);
    countText(result.length / 8);
  }
  return result;
}

/** The offset of the `}` that closes the field beginning at `begin`. */
function fieldEnd(text: string, begin: number): number {
  let depth = 1;
  let inBrackets = false;
  let inSpec = false;
  for (let at = begin; at < text.length; at++) {
    const character = text[at];
    if (inBrackets) inBrackets = character !== ']';
    else if (character === '[' && !inSpec) inBrackets = true;
    else if (character === '{') {
      if (!inSpec) throw valueError("unexpected '{' in field name");
      depth++;
    } else if (character === '}' && --depth === 0) return at;
    else if (character === ':' || character === '!') inSpec = true;
  }
  throw valueError("expected '}' before end of string");
}

function renderField(field: string, fields: Fields, depth: number): string {
  const split = /^((?:[^[:!]|\[[^\]]*\]?)*)(?:!(.*?)(?=:|$))?(?::(.*))?$/su.exec(field);
  const [, name = '', conversion, spec = ''] = split ?? [];
  if (conversion !== undefined && !split?.[0].includes('!')) throw valueError('invalid field');
  if (conversion === '') throw valueError("unmatched '{' in format spec");
  if (conversion !== undefined && [...conversion].length > 1) throw valueError("expected ':' after conversion specifier");
  const value = lookUp(name, fields);
  if (conversion !== undefined && !'rsa'.includes(conversion)) {
    throw valueError(`Unknown conversion specifier ${conversion}`);
  }
  const text = spec.includes('{') || spec.includes('}') ? render(spec, fields, depth - 1) : spec;
  if (depth - 1 < 0) throw valueError('Max string recursion exceeded');
  return formatValue(convert(value, conversion), text);
}

function lookUp(name: string, fields: Fields): PyValue {
  const first = /^[^.[]*/.exec(name)?.[0] ?? '';
  let value = firstValue(first, fields);
  let rest = name.slice(first.length);
  while (rest !== '') {
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
