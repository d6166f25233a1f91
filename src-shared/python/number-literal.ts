import { syntaxError } from './problem.ts';
import { PyComplex, type PyValue } from './values.ts';

const based = /0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)/y;
const decimal = /(?:(?:\d(?:_?\d)*)?\.\d(?:_?\d)*|\d(?:_?\d)*\.?)(?:[eE][-+]?\d(?:_?\d)*)?/y;
const following = /[\p{XIDC}]+/uy;
const keywordsAfterNumber = /^(?:and|else|for|if|in|is|or|not)/;
/** The most digits that Python converts between text and integer. */
export const maxIntegerDigits = 4300;

/** Reads the number that begins at `at`; nothing when none does. */
export function readNumber(text: string, at: number): { readonly value: PyValue; readonly end: number } | undefined {
  const prefixed = matchAt(based, text, at);
  if (prefixed !== undefined) return finish(text, at, at + prefixed.length, BigInt(prefixed.replaceAll('_', '')));
  const written = matchAt(decimal, text, at);
  if (written === undefined) return undefined;
  const end = at + written.length;
  const digits = written.replaceAll('_', '');
  if (/[jJ]/.test(text[end] ?? '')) return finish(text, at, end + 1, new PyComplex(0, Number(digits)));
  if (/[.eE]/.test(digits)) return finish(text, at, end, Number(digits));
  if (/^0+[1-9]/.test(digits)) {
    throw syntaxError('leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers', at);
  }
  if (digits.length > maxIntegerDigits) throw syntaxError(`an integer literal has more than ${maxIntegerDigits} digits`, at);
  return finish(text, at, end, BigInt(digits));
}

function finish(text: string, at: number, end: number, value: PyValue): { readonly value: PyValue; readonly end: number } {
  const after = matchAt(following, text, end);
  if (after !== undefined && !keywordsAfterNumber.test(after)) throw syntaxError('invalid decimal literal', at);
  return { value, end };
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
