import { beyond, syntaxError } from './problem.ts';
import type { Source } from './tokens.ts';

/** CPython's limit. */
const maxFStrings = 149;

/** Reads the literal that begins with `start` (prefix and quotes) and appends its tokens. */
export function readString(source: Source, start: string): void {
  const at = source.at;
  const quote = /'''|"""|'|"/.exec(start)?.[0] ?? '"';
  const prefix = start.slice(0, -quote.length).toLowerCase();
  const raw = prefix.includes('r');
  source.at += start.length;
  if (prefix.includes('f')) {
    source.tokens.push({ kind: 'fstring-start', at, end: source.at });
    if (++source.fstrings > maxFStrings) throw syntaxError('too many nested f-strings', at);
    readParts(source, { quote, raw, depth: 0, at });
    source.fstrings--;
    source.tokens.push({ kind: 'fstring-end', at: source.at, end: source.at });
    return;
  }
  const body = readBody(source, quote, at);
  if (prefix.includes('b')) source.tokens.push({ kind: 'bytes', value: decodeBytes(body, raw, at), at, end: source.at });
  else source.tokens.push({ kind: 'string', value: raw ? checked(body, at) : decodeEscapes(body, at), at, end: source.at });
}

function readBody(source: Source, quote: string, at: number): string {
  const begin = source.at;
  for (;;) {
    const character = source.text[source.at];
    if (character === undefined || (character === '\n' && quote.length === 1)) throw unterminated(quote, at);
    if (character === '\\') source.at += 2;
    else if (source.text.startsWith(quote, source.at)) break;
    else source.at++;
  }
  const body = source.text.slice(begin, source.at);
  source.at += quote.length;
  return body;
}

const unterminated = (quote: string, at: number) =>
  syntaxError(`unterminated ${quote.length === 3 ? 'triple-quoted string' : 'string'} literal`, at);

interface FString {
  readonly quote: string;
  readonly raw: boolean;
  /** 0 outside fields, 1 in a format specification, 2 in one inside it, and so on. */
  readonly depth: number;
  readonly at: number;
}

/** Reads text and fields up to the closing quote, or, in a format specification, up to the `}` of its field. */
function readParts(source: Source, fstring: FString): void {
  const { quote, raw, depth, at } = fstring;
  let literal = '';
  let begin = source.at;
  const flush = () => {
    if (literal)
      source.tokens.push({ kind: 'text', value: raw ? checked(literal, begin) : decodeEscapes(literal, begin), at: begin, end: source.at });
    literal = '';
  };
  for (;;) {
    const character = source.text[source.at];
    if (character === '\n' && depth > 0) throw beyond('a line break in a format specification', source.at);
    if (character === undefined || (character === '\n' && quote.length === 1)) throw unterminated(quote, at);
    if (source.text.startsWith(quote, source.at)) {
      if (depth > 0) throw syntaxError("f-string: expecting '}'", source.at);
      flush();
      source.at += quote.length;
      return;
    }
    if (character === '{' && depth === 0 && source.text[source.at + 1] === '{') {
      literal += '{';
      source.at += 2;
    } else if (character === '{') {
      flush();
      readField(source, fstring);
      begin = source.at;
    } else if (character === '}') {
      if (depth > 0) {
        flush();
        return;
      }
      if (source.text[source.at + 1] !== '}') throw syntaxError("f-string: single '}' is not allowed", source.at);
      literal += '}';
      source.at += 2;
    } else if (character === '\\') {
      const length = escapeLength(source, raw);
      literal += source.text.slice(source.at, source.at + length);
      source.at += length;
    } else {
      literal += character;
      source.at++;
    }
  }
}

/** A backslash before a brace stays, and the brace begins a field. */
function escapeLength({ text, at }: Source, raw: boolean): number {
  const next = text[at + 1];
  if (next === '{' || next === '}') return 1;
  if (!raw && next === 'N') throw beyond('a character by its name (\\N{…})', at);
  return 2;
}

function readField(source: Source, fstring: FString): void {
  if (fstring.depth > 3) throw beyond('fields nested that deeply in a format specification', source.at);
  const push = (text: string) => {
    source.tokens.push({ kind: 'operator', text, at: source.at, end: source.at + text.length });
    source.at += text.length;
  };
  push('{');
  source.readField();
  if (source.text[source.at] === '!') {
    push('!');
    const conversion = /^[\p{XIDC}]+/u.exec(source.text.slice(source.at))?.[0] ?? '';
    if (!['r', 's', 'a'].includes(conversion)) throw syntaxError('f-string: expecting a conversion: r, s or a', source.at);
    source.tokens.push({ kind: 'name', text: conversion, at: source.at, end: source.at + 1 });
    source.at++;
    while (source.text[source.at] === ' ') source.at++;
  }
  if (source.text[source.at] === ':') {
    push(':');
    readParts(source, { ...fstring, depth: fstring.depth + 1 });
  }
  if (source.text[source.at] !== '}') throw syntaxError("f-string: expecting '}'", source.at);
  push('}');
}

const escapes = /\\(?:\n|([\\'"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([xuUN]))/g;
const controls: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function decodeEscapes(body: string, at: number): string {
  const decoded = body.replace(escapes, (_, control?: string, octal?: string, x?: string, u?: string, U?: string, wrong?: string) => {
    if (control !== undefined) return controls[control] ?? control;
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    const code = x ?? u ?? U;
    if (code !== undefined) return character(Number.parseInt(code, 16), at);
    if (wrong === 'N') throw beyond('a character by its name (\\N{…})', at);
    if (wrong !== undefined) throw syntaxError(`(unicode error) 'unicodeescape' codec can't decode bytes: truncated \\${wrong} escape`, at);
    return '';
  });
  return checked(decoded, at);
}

function character(code: number, at: number): string {
  if (code > 0x10ffff) throw syntaxError("(unicode error) 'unicodeescape' codec can't decode bytes: illegal Unicode character", at);
  if (code >= 0xd800 && code < 0xe000) throw beyond('a surrogate character', at);
  return String.fromCodePoint(code);
}

function checked(text: string, at: number): string {
  if (!text.isWellFormed()) throw beyond('a surrogate character', at);
  return text;
}

function decodeBytes(body: string, raw: boolean, at: number): Uint8Array {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes literals hold ASCII only, control characters included
  if (/[^\x00-\x7f]/.test(body)) throw syntaxError('bytes can only contain ASCII literal characters', at);
  const text = raw
    ? body
    : body.replace(escapes, (whole, control?: string, octal?: string, x?: string, u?: string, U?: string, wrong?: string) => {
        if (control !== undefined) return controls[control] ?? control;
        if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8) & 255);
        if (x !== undefined) return String.fromCodePoint(Number.parseInt(x, 16));
        if (wrong === 'x') throw syntaxError('(value error) invalid \\x escape', at);
        return u !== undefined || U !== undefined || wrong !== undefined ? whole : '';
      });
  return Uint8Array.from(text, (unit) => unit.charCodeAt(0));
}
