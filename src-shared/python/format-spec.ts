import { characters } from './code-points.ts';
import { valueError } from './errors.ts';

/** A format specification, as `format(value, '>10,.2f')` takes it. */
export interface FormatSpec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly noNegativeZero: boolean;
  readonly alternate: boolean;
  readonly width: number;
  readonly separator: '' | ',' | '_';
  readonly precision: number | undefined;
  /** Empty for the type's own. */
  readonly type: string;
}

const isAlign = (character: string | undefined): character is string => character !== undefined && '<>=^'.includes(character);

/** Parses a specification for a value of `type`, in the order and with the errors of CPython. */
export function parseFormatSpec(text: string, type: string, defaultAlign: '<' | '>'): FormatSpec {
  const spec = characters(text);
  let at = 0;
  let fill = ' ';
  let align: string = defaultAlign;
  const hasFill = isAlign(spec[1]);
  const hasAlign = hasFill || isAlign(spec[0]);
  if (hasFill) fill = spec[0] as string;
  if (hasAlign) align = spec[hasFill ? 1 : 0] as string;
  at = hasFill ? 2 : hasAlign ? 1 : 0;
  const accept = (wanted: string) => {
    const character = spec[at];
    if (character === undefined || !wanted.includes(character)) return '';
    at++;
    return character;
  };
  const digits = () => {
    const begin = at;
    while (/^\p{Nd}$/u.test(spec[at] ?? '')) at++;
    const written = spec.slice(begin, at).join('');
    if (Number(written) > Number.MAX_SAFE_INTEGER) throw valueError('Too many decimal digits in format string');
    return written;
  };
  const sign = accept(' +-');
  const noNegativeZero = accept('z') !== '';
  const alternate = accept('#') !== '';
  if (!hasFill && accept('0')) {
    fill = '0';
    if (!hasAlign && defaultAlign === '>') align = '=';
  }
  const width = Number(digits() || -1);
  let separator = accept(',') as '' | ',' | '_';
  if (accept('_')) {
    if (separator) throw valueError("Cannot specify both ',' and '_'.");
    separator = '_';
  }
  if (spec[at] === ',' && separator === '_') throw valueError("Cannot specify both ',' and '_'.");
  let precision: number | undefined;
  if (accept('.')) {
    const written = digits();
    if (!written) throw valueError('Format specifier missing precision');
    precision = Number(written);
  }
  if (spec.length - at > 1) throw valueError(`Invalid format specifier '${text}' for object of type '${type}'`);
  const code = spec[at] ?? (type === 'str' ? 's' : '');
  if (separator && !'defgEG%F'.includes(code) && !(separator === '_' && 'boxX'.includes(code))) {
    throw valueError(`Cannot specify '${separator}' with '${shown(code)}'.`);
  }
  return { fill, align, sign, noNegativeZero, alternate, width, separator, precision, type: code };
}

const shown = (code: string) => {
  const point = code.codePointAt(0) ?? 0;
  return point > 32 && point < 128 ? code : `\\x${point.toString(16)}`;
};

/** The error for a type letter that a value does not take. */
export function unknownFormatCode(code: string, type: string): Error {
  return valueError(`Unknown format code '${shown(code)}' for object of type '${type}'`);
}
