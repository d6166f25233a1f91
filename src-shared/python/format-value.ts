import { countText } from './budget.ts';
import { characters, textLength } from './code-points.ts';
import { PythonError, typeError, unsupported, valueError } from './errors.ts';
import { floatText } from './float-text.ts';
import { type FormatSpec, parseFormatSpec, unknownFormatCode } from './format-spec.ts';
import { integerDigits } from './integer-digits.ts';
import { toFloat } from './numbers.ts';
import { pyStr } from './repr.ts';
import { typeName } from './type-name.ts';
import { PyComplex, type PyValue } from './values.ts';

/** `format(value, spec)`. */
export function formatValue(value: PyValue, spec: string): string {
  if (spec === '') return pyStr(value);
  if (typeof value === 'string') return formatText(value, parseFormatSpec(spec, 'str', '<'));
  if (typeof value === 'number') return formatFloat(value, parseFormatSpec(spec, 'float', '>'), 'float');
  if (typeof value === 'bigint' || typeof value === 'boolean') return formatInteger(BigInt(value), spec, typeName(value));
  if (value instanceof PyComplex) throw unsupported('the format of a complex number');
  throw typeError(`unsupported format string passed to ${typeName(value)}.__format__`);
}

function formatText(value: string, spec: FormatSpec): string {
  if (spec.type !== 's') throw unknownFormatCode(spec.type, 'str');
  if (spec.sign === ' ') throw valueError('Space not allowed in string format specifier');
  if (spec.sign) throw valueError('Sign not allowed in string format specifier');
  if (spec.noNegativeZero) throw valueError('Negative zero coercion (z) not allowed in string format specifier');
  if (spec.alternate) throw valueError('Alternate form (#) not allowed in string format specifier');
  if (spec.align === '=') throw valueError("'=' alignment not allowed in string format specifier");
  const text = spec.precision === undefined || spec.precision >= value.length ? value : characters(value).slice(0, spec.precision).join('');
  return pad(text, spec);
}

function formatInteger(value: bigint, text: string, type: string): string {
  const spec = parseFormatSpec(text, type, '>');
  if ('eEfFgG%'.includes(spec.type) && spec.type) return formatFloat(toFloat(value), spec, type);
  if (!'bcdoxXn'.includes(spec.type)) throw unknownFormatCode(spec.type, type);
  if (spec.precision !== undefined) throw valueError('Precision not allowed in integer format specifier');
  if (spec.noNegativeZero) throw valueError('Negative zero coercion (z) not allowed in integer format specifier');
  if (spec.type === 'c') return formatCharacter(value, spec);
  const { prefix, digits } = integerDigits(value, spec.type || 'd');
  return layOut(value < 0n, spec.alternate ? prefix : '', digits, '', spec);
}

function formatCharacter(value: bigint, spec: FormatSpec): string {
  if (spec.sign) throw valueError("Sign not allowed with integer format specifier 'c'");
  if (spec.alternate) throw valueError("Alternate form (#) not allowed with integer format specifier 'c'");
  return pad(characterOf(value), spec);
}

/** `%c` and `{:c}`. */
export function characterOf(value: bigint): string {
  if (BigInt.asIntN(64, value) !== value) throw new PythonError('OverflowError', 'Python int too large to convert to C long');
  if (value < 0n || value > 0x10ffffn) throw new PythonError('OverflowError', '%c arg not in range(0x110000)');
  if (value >= 0xd800n && value < 0xe000n) throw unsupported('a surrogate character');
  return String.fromCodePoint(Number(value));
}

function formatFloat(value: number, spec: FormatSpec, type: string): string {
  if (!'eEfFgGn%'.includes(spec.type)) throw unknownFormatCode(spec.type, type);
  const code = spec.type.toLowerCase();
  const isPercent = code === '%';
  const hasDefaultType = code === '';
  const number = isPercent ? value * 100 : value;
  const style = isPercent
    ? 'f'
    : code === 'n'
      ? 'g'
      : hasDefaultType
        ? spec.precision === undefined
          ? 'r'
          : 'g'
        : (code as 'f' | 'e' | 'g');
  const body = floatText(number, {
    type: style,
    precision: spec.precision ?? 6,
    alternate: spec.alternate,
    addsPointZero: hasDefaultType,
  });
  const text = `${/^[EFG]$/.test(spec.type) ? body.toUpperCase() : body}${isPercent ? '%' : ''}`;
  const whole = /^\d*/.exec(text)?.[0] ?? '';
  const isZero = !/[1-9]/.test(body.split('e')[0] ?? '') && /\d/.test(body);
  const negative = (number < 0 || Object.is(number, -0)) && !(spec.noNegativeZero && isZero);
  return layOut(negative, '', whole, text.slice(whole.length), spec);
}

/** Sign, prefix, digits in groups, and what follows them. */
function layOut(negative: boolean, prefix: string, digits: string, rest: string, spec: FormatSpec): string {
  const sign = negative ? '-' : spec.sign === '-' ? '' : spec.sign;
  countText(Math.max(spec.width, 0));
  const fixedLength = sign.length + prefix.length + rest.length;
  const least = spec.fill === '0' && spec.align === '=' ? spec.width - fixedLength : 0;
  const grouped = digits === '' ? '' : group(digits, spec.separator, 'boxX'.includes(spec.type || 'd') ? 4 : 3, least);
  const head = sign + prefix;
  const missing = spec.width - head.length - grouped.length - rest.length;
  if (spec.align === '=' && missing > 0) return head + spec.fill.repeat(missing) + grouped + rest;
  return pad(head + grouped + rest, spec);
}

/** Puts separators between groups of digits and zeros before them, up to a width. */
export function group(digits: string, separator: string, size: number, width: number): string {
  if (!separator) return digits.padStart(width, '0');
  const groups: string[] = [];
  let remaining = digits.length;
  let least = width;
  for (;;) {
    const length = Math.min(size, Math.max(remaining, least, 1));
    groups.unshift(digits.slice(Math.max(0, remaining - length), remaining).padStart(length, '0'));
    remaining = Math.max(0, remaining - length);
    least -= length;
    if (remaining <= 0 && least <= 0) return groups.join(separator);
    least -= 1;
  }
}

/** Pads a text to the width of a specification. */
function pad(text: string, { fill, align, width }: FormatSpec): string {
  const missing = width - textLength(text);
  if (missing <= 0) return text;
  countText(missing);
  const left = align === '<' ? 0 : align === '^' ? missing >> 1 : missing;
  return fill.repeat(left) + text + fill.repeat(missing - left);
}
