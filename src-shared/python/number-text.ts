import { countOperations } from './budget.ts';
import { valueError } from './errors.ts';
import { maxIntegerDigits } from './number-literal.ts';
import { pyRepr } from './repr.ts';
import { trimWhitespace } from './text-class.ts';
import type { PyValue } from './values.ts';

/** Decimal digits of any script as ASCII digits, and spaces at both ends away. */
function normalize(text: string): string {
  return trimWhitespace(text).replace(/[^\0-\x7f]/gu, (character) => decimalDigit(character) ?? character);
}

/** The value of a decimal digit: each script has its ten in a row, aligned on the zero. */
export function decimalDigit(character: string): string | undefined {
  if (!/^\p{Nd}$/u.test(character)) return undefined;
  const code = character.codePointAt(0) as number;
  // Five alphabets of mathematical digits follow each other.
  if (code >= 0x1d7ce && code <= 0x1d7ff) return String((code - 0x1d7ce) % 10);
  let zero = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--;
  return String(code - zero);
}

/** `float(text)`; `original` is named in the error. */
export function parseFloatText(text: string, original: PyValue): number {
  countOperations(text.length / 64);
  const normal = normalize(text);
  const special = /^([-+]?)(inf|infinity|nan)$/i.exec(normal);
  if (special) {
    const value = special[2]?.toLowerCase() === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY;
    return special[1] === '-' ? -value : value;
  }
  if (!/^[-+]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[-+]?\d+(?:_\d+)*)?$/i.test(normal)) {
    throw valueError(`could not convert string to float: ${pyRepr(original)}`);
  }
  return Number(normal.replaceAll('_', ''));
}

const digitsOf = (base: number) => {
  const digits = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, base);
  return new RegExp(`^[${digits}]+(?:_[${digits}]+)*$`);
};
const prefixes: Readonly<Record<string, number>> = { '0x': 16, '0o': 8, '0b': 2 };

/** `int(text, base)`; `original` is named in the error. */
export function parseIntegerText(text: string, base: number, original: PyValue): bigint {
  const invalid = () => valueError(`invalid literal for int() with base ${base}: ${pyRepr(original)}`);
  const normal = normalize(text).toLowerCase();
  countOperations(text.length / 64);
  const sign = /^[-+]/.test(normal) ? normal[0] : '';
  let digits = sign ? normal.slice(1) : normal;
  let actual = base;
  const prefixed = prefixes[digits.slice(0, 2)];
  if (prefixed !== undefined && (base === 0 || base === prefixed)) {
    actual = prefixed;
    digits = digits.slice(2).replace(/^_/, '');
  } else if (base === 0) {
    actual = 10;
    if (/^0/.test(digits) && /[1-9]/.test(digits)) throw invalid();
  }
  if (!digitsOf(actual).test(digits)) throw invalid();
  digits = digits.replaceAll('_', '');
  if ((actual & (actual - 1)) !== 0 && digits.length > maxIntegerDigits) {
    throw valueError(
      `Exceeds the limit (${maxIntegerDigits} digits) for integer string conversion: value has ${digits.length} digits; use sys.set_int_max_str_digits() to increase the limit`,
    );
  }
  const value = readDigits(digits, actual);
  return sign === '-' ? -value : value;
}

function readDigits(digits: string, base: number): bigint {
  if (base === 10) return BigInt(digits);
  if (base === 16) return BigInt(`0x${digits}`);
  if (base === 8) return BigInt(`0o${digits}`);
  if (base === 2) return BigInt(`0b${digits}`);
  countOperations((digits.length / 16) ** 2 / 64);
  let value = 0n;
  for (const digit of digits) value = value * BigInt(base) + BigInt(Number.parseInt(digit, 36));
  return value;
}
