import { readNumber } from './number-literal.ts';
import { syntaxError } from './problem.ts';
import { readString } from './string-literal.ts';
import type { PyValue } from './values.ts';

/** A token. In an f-string, literal text is `text`, and its fields are ordinary tokens between `{` and `}`. */
export type Token = { readonly at: number; readonly end: number } & (
  | { readonly kind: 'name' | 'operator'; readonly text: string }
  | { readonly kind: 'constant'; readonly value: PyValue }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'fstring-start' | 'fstring-end' | 'end' }
  | { readonly kind: 'text'; readonly value: string }
);

/** A text that is being split, and where. */
export interface Source {
  readonly text: string;
  at: number;
  readonly tokens: Token[];
  /** How many f-strings are open. */
  fstrings: number;
  /** Reads the tokens of an f-string's field, up to the `!`, `:` or `}` that ends its expression. */
  readonly readField: () => void;
}

const operators = /\*\*=?|\/\/=?|<<=?|>>=?|<=|>=|==|!=|->|:=|\.\.\.|[-+*/%@&|^]=|[-+*/%@&|^~<>()[\]{},:.;=!]/y;
const identifier = /[\p{XIDS}_][\p{XIDC}]*/uy;
const stringStart = /(?:[rR]|[bB]|[uU]|[fF]|[bB][rR]|[rR][bB]|[fF][rR]|[rR][fF])?(?:'''|"""|'|")/y;
const blank = /(?:[ \t\f]|\\\n)*(?:#[^\n]*)?/y;

const maxBrackets = 200;
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Splits the text of an expression into tokens. Throws `PythonRefusal`. */
export function tokenize(text: string): Token[] {
  if (text.includes('\0')) throw syntaxError('source code string cannot contain null bytes', text.indexOf('\0'));
  const source: Source = { text, at: 0, tokens: [], fstrings: 0, readField: () => readTokens(source, { inField: true }) };
  refuseIndent(source);
  readTokens(source, { inField: false });
  return source.tokens;
}

function refuseIndent(source: Source): void {
  const indent = /^(?:[ \t\f]*(?:#[^\n]*)?\n)*([ \t]+)(?=[^\s#])/.exec(source.text);
  if (indent) throw syntaxError('unexpected indent', indent[0].length - 1);
}

function readTokens(source: Source, { inField }: { inField: boolean }): void {
  const open: { bracket: string; at: number }[] = [];
  for (;;) {
    skip(source, blank);
    const at = source.at;
    const character = source.text[at];
    if (character === undefined) break;
    if (character === '\n') {
      source.at++;
      if (open.length === 0 && !inField && source.tokens.length > 0) {
        expectEnd(source);
        return;
      }
      continue;
    }
    if (inField && open.length === 0 && endsField(source)) return;
    readToken(source, open);
  }
  const unclosed = open.at(-1);
  if (unclosed) throw syntaxError(`'${unclosed.bracket}' was never closed`, unclosed.at);
  if (inField) throw syntaxError("f-string: expecting '}'", source.at);
  source.tokens.push({ kind: 'end', at: source.at, end: source.at });
}

function endsField({ text, at }: Source): boolean {
  const character = text[at];
  return character === '}' || character === ':' || (character === '!' && text[at + 1] !== '=');
}

function expectEnd(source: Source): void {
  const at = source.at;
  const rest = /^(?:[ \t\f]*(?:#[^\n]*)?\n)*[ \t\f]*(?:#[^\n]*)?/.exec(source.text.slice(at))?.[0] ?? '';
  if (at + rest.length < source.text.length) throw syntaxError('invalid syntax: one expression was expected', at + rest.length);
  source.tokens.push({ kind: 'end', at, end: at });
}

function readToken(source: Source, open: { bracket: string; at: number }[]): void {
  const { text, at, tokens } = source;
  const start = match(source, stringStart);
  if (start !== undefined) {
    readString(source, start);
    return;
  }
  const number = readNumber(text, at);
  if (number) {
    source.at = number.end;
    tokens.push({ kind: 'constant', value: number.value, at, end: number.end });
    return;
  }
  const name = match(source, identifier);
  if (name !== undefined) {
    source.at += name.length;
    tokens.push({ kind: 'name', text: name.normalize('NFKC'), at, end: source.at });
    return;
  }
  const operator = match(source, operators);
  if (operator === undefined) throw syntaxError(`invalid character '${String.fromCodePoint(text.codePointAt(at) ?? 0)}'`, at);
  if (operator in closers) {
    if (open.length === maxBrackets) throw syntaxError('too many nested parentheses', at);
    open.push({ bracket: operator, at });
  } else if (operator === ')' || operator === ']' || operator === '}') {
    const last = open.pop();
    if (!last) throw syntaxError(`unmatched '${operator}'`, at);
    if (closers[last.bracket] !== operator) {
      throw syntaxError(`closing parenthesis '${operator}' does not match opening parenthesis '${last.bracket}'`, at);
    }
  }
  source.at += operator.length;
  tokens.push({ kind: 'operator', text: operator, at, end: source.at });
}

function skip(source: Source, pattern: RegExp): void {
  source.at += match(source, pattern)?.length ?? 0;
}

function match(source: Source, pattern: RegExp): string | undefined {
  pattern.lastIndex = source.at;
  return pattern.exec(source.text)?.[0];
}
