import { numericIdeographs, otherDigits } from './case-tables.ts';

const space = '\\t\\n\\v\\f\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const leading = new RegExp(`^[${space}]+`);
const trailing = new RegExp(`[${space}]$`);
const spaces = new RegExp(`[${space}]+`, 'g');

/** The text without spaces at its start. */
export const trimStart = (text: string): string => text.replace(leading, '');

/** The text without spaces at its end. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && trailing.test(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

/** The text without spaces at both ends. */
export const trimWhitespace = (text: string): string => trimStart(trimEnd(text));

/** Runs of spaces. */
export const whitespace = (): RegExp => new RegExp(spaces);

const every = (inside: string) => new RegExp(`^[${inside}]+$`, 'u');

/** `str.isX` for texts of which each character must be of a class, and one must be there. */
export const classTests: Readonly<Record<string, RegExp>> = {
  isalnum: every(`\\p{L}\\p{N}${numericIdeographs}`),
  isalpha: every('\\p{L}'),
  isdecimal: every('\\p{Nd}'),
  isdigit: every(`\\p{Nd}${otherDigits}`),
  isnumeric: every(`\\p{N}${numericIdeographs}`),
  isspace: every(space),
};

/** `str.isidentifier`. */
export const isIdentifier = (text: string): boolean => /^[\p{XIDS}_][\p{XIDC}]*$/u.test(text);

/** `str.isprintable`. */
export const isPrintable = (text: string): boolean => !/[\p{C}\p{Z}]/u.test(text.replaceAll(' ', ''));

/** `str.islower` and `str.isupper`: something has case, and all that has is of this one. */
export function hasOnlyCase(text: string, wanted: 'lower' | 'upper'): boolean {
  const [own, other] = wanted === 'lower' ? [/\p{Lowercase}/u, /[\p{Uppercase}\p{Lt}]/u] : [/\p{Uppercase}/u, /[\p{Lowercase}\p{Lt}]/u];
  return own.test(text) && !other.test(text);
}

/** `str.istitle`. */
export function isTitle(text: string): boolean {
  let hasCased = false;
  let follows = false;
  for (const character of text) {
    if (/[\p{Uppercase}\p{Lt}]/u.test(character)) {
      if (follows) return false;
      follows = hasCased = true;
    } else if (/\p{Lowercase}/u.test(character)) {
      if (!follows) return false;
      hasCased = true;
    } else follows = false;
  }
  return hasCased;
}
