import { asSize } from './argument-types.ts';
import { countOperations, countText } from './budget.ts';
import { characters, textLength } from './code-points.ts';
import { convert } from './convert.ts';
import { PyDict } from './dict.ts';
import { PythonError, typeError, valueError } from './errors.ts';
import { floatText } from './float-text.ts';
import { characterOf } from './format-value.ts';
import { integerDigits } from './integer-digits.ts';
import { toFloat } from './numbers.ts';
import { truncate } from './to-integer.ts';
import { typeName } from './type-name.ts';
import { PyBytes, PyList, PyTuple, type PyValue } from './values.ts';

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly type: string;
}

const directive =
  /%(?:\((?<key>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\))?(?<flags>[-+ #0]*)(?<width>\*|\d+)?(?:\.(?<precision>\*|\d*))?[hlL]?(?<type>.)?/suy;

/** `text % values`. */
export function formatPercent(format: string, values: PyValue): string {
  const args = new PercentArguments(values);
  let text = '';
  let at = 0;
  for (;;) {
    const next = format.indexOf('%', at);
    if (next < 0) break;
    text += format.slice(at, next);
    countOperations(1);
    directive.lastIndex = next;
    const groups = (directive.exec(format)?.groups ?? {}) as Record<string, string | undefined>;
    at = directive.lastIndex;
    if (format.startsWith('%(', next) && groups.key === undefined) {
      args.requireMapping();
      throw valueError('incomplete format key');
    }
    if (at === next + 2 && groups.type === '%') {
      text += '%';
      continue;
    }
    if (groups.key !== undefined) args.pickKey(groups.key);
    text += formatDirective(groups, args, textLength(format.slice(0, at)) - 1);
    countText(text.length);
  }
  args.finish();
  return text + format.slice(at);
}

function formatDirective(groups: Readonly<Record<string, string | undefined>>, args: PercentArguments, index: number): string {
  let flags = groups.flags ?? '';
  let width = -1;
  if (groups.width === '*') {
    width = args.star('ssize_t');
    if (width < 0) {
      flags += '-';
      width = -width;
    }
  } else if (groups.width !== undefined) width = size(groups.width, 'width');
  let precision: number | undefined;
  if (groups.precision === '*') precision = Math.max(0, args.star('int'));
  else if (groups.precision !== undefined) precision = size(groups.precision || '0', 'precision');
  const { type } = groups;
  if (type === undefined) throw valueError('incomplete format');
  return render(args.next(), { flags, width, precision, type }, index);
}

function size(digits: string, name: string): number {
  const value = Number(digits);
  if (value > 2 ** 63 - 1) throw valueError(`${name} too big`);
  if (name === 'precision' && value > 2 ** 31 - 1) throw valueError('precision too big');
  return value;
}

function render(value: PyValue, directive: Directive, index: number): string {
  const { type } = directive;
  if (type === 's' || type === 'r' || type === 'a') {
    const text = convert(value, type) as string;
    const { precision } = directive;
    return pad(
      '',
      precision === undefined || precision >= text.length ? text : characters(text).slice(0, precision).join(''),
      directive,
      false,
    );
  }
  if (type === 'c') return pad('', percentCharacter(value), directive, false);
  if ('diuoxX'.includes(type)) return percentInteger(value, directive);
  if ('eEfFgG'.includes(type)) return percentFloat(value, directive);
  const code = type.codePointAt(0) as number;
  const shown = code > 31 && code < 127 ? type : '?';
  throw valueError(`unsupported format character '${code >= 127 ? type : shown}' (0x${code.toString(16)}) at index ${index}`);
}

function percentCharacter(value: PyValue): string {
  if (typeof value === 'bigint' || typeof value === 'boolean') {
    if (BigInt(value) > 0x10ffffn) throw new PythonError('OverflowError', '%c arg not in range(0x110000)');
    return characterOf(BigInt(value));
  }
  if (typeof value === 'string' && textLength(value) === 1) return value;
  throw typeError('%c requires int or char');
}

function percentInteger(value: PyValue, directive: Directive): string {
  const { type, precision, flags } = directive;
  const isDecimal = 'diu'.includes(type);
  let number: bigint;
  if (typeof value === 'bigint' || typeof value === 'boolean') number = BigInt(value);
  else if (typeof value === 'number' && isDecimal) number = truncate(value);
  else throw typeError(`%${type} format: ${isDecimal ? 'a real number' : 'an integer'} is required, not ${typeName(value)}`);
  const { prefix, digits } = integerDigits(number, isDecimal ? 'd' : type);
  countText(precision ?? 0);
  const sign = signOf(number < 0n, flags);
  return pad(sign + (flags.includes('#') ? prefix : ''), digits.padStart(precision ?? 0, '0'), directive, true);
}

function percentFloat(value: PyValue, directive: Directive): string {
  const { type, precision = 6, flags } = directive;
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean') {
    throw typeError(`must be real number, not ${typeName(value)}`);
  }
  const number = toFloat(typeof value === 'boolean' ? BigInt(value) : value);
  const style = { type: type.toLowerCase() as 'f' | 'e' | 'g', precision, alternate: flags.includes('#'), addsPointZero: false };
  const body = floatText(number, style);
  return pad(signOf(number < 0 || Object.is(number, -0), flags), type === type.toUpperCase() ? body.toUpperCase() : body, directive, true);
}

const signOf = (negative: boolean, flags: string) => (negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '');

function pad(head: string, body: string, { flags, width }: Directive, isNumber: boolean): string {
  const missing = width - head.length - textLength(body);
  if (missing <= 0) return head + body;
  countText(missing);
  if (flags.includes('-')) return head + body + ' '.repeat(missing);
  return isNumber && flags.includes('0') ? head + '0'.repeat(missing) + body : ' '.repeat(missing) + head + body;
}

/** What has `[…]` and is no tuple or text need not be used up. */
const isMapping = (value: PyValue) => value instanceof PyDict || value instanceof PyList || value instanceof PyBytes;

/** The values of a `%` format, taken in turn or by key. */
class PercentArguments {
  readonly #values: PyValue;
  readonly #tuple: readonly PyValue[] | undefined;
  #index = 0;
  #picked: PyValue | undefined;
  #hasPicked = false;

  constructor(values: PyValue) {
    this.#values = values;
    this.#tuple = values instanceof PyTuple ? values.items : undefined;
  }

  requireMapping(): PyValue {
    const values = this.#values;
    if (!isMapping(values)) throw typeError('format requires a mapping');
    return values;
  }

  pickKey(key: string): void {
    const mapping = this.requireMapping();
    if (!(mapping instanceof PyDict))
      throw typeError(`${mapping instanceof PyBytes ? 'byte' : 'list'} indices must be integers or slices, not str`);
    this.#picked = mapping.get(key);
    if (this.#picked === undefined) throw new PythonError('KeyError', convert(key, 'r') as string);
    this.#hasPicked = true;
  }

  next(): PyValue {
    if (this.#picked !== undefined) {
      const value = this.#picked;
      this.#picked = undefined;
      return value;
    }
    const value = this.#tuple ? this.#tuple[this.#index] : this.#index === 0 && !this.#hasPicked ? this.#values : undefined;
    if (value === undefined) throw typeError('not enough arguments for format string');
    this.#index++;
    return value;
  }

  star(type: 'int' | 'ssize_t'): number {
    const value = this.next();
    if (typeof value !== 'bigint' && typeof value !== 'boolean') throw typeError('* wants int');
    return asSize(value, type);
  }

  finish(): void {
    const count = this.#tuple ? this.#tuple.length : isMapping(this.#values) ? 0 : 1;
    if (this.#index < count && !this.#hasPicked) throw typeError('not all arguments converted during string formatting');
  }
}
