import { countOperations, countText } from './budget.ts';
import { PyDict } from './dict.ts';
import { unsupported, valueError } from './errors.ts';
import { floatRepr } from './float-repr.ts';
import { maxIntegerDigits } from './number-literal.ts';
import { PySet } from './set.ts';
import { textRepr } from './text-repr.ts';
import { PyBytes, PyCallable, PyComplex, PyDictView, PyList, PySlice, PyTuple, type PyValue } from './values.ts';

/** `str(value)`. */
export function pyStr(value: PyValue): string {
  return typeof value === 'string' ? value : pyRepr(value);
}

/** `repr(value)`. Throws `PythonStop` where the text holds an address. */
export function pyRepr(value: PyValue): string {
  return reprWithin(value, []);
}

function reprWithin(value: PyValue, outer: readonly object[]): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return textRepr(value);
  if (typeof value === 'number') return floatRepr(value);
  if (typeof value === 'bigint') return integerText(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  countOperations(1);
  if (outer.includes(value)) return value instanceof PyList ? '[...]' : value instanceof PyDict ? '{...}' : '(...)';
  const inner = [...outer, value];
  const each = (items: Iterable<PyValue>) => join(Array.from(items, (item) => reprWithin(item, inner)));
  if (value instanceof PyList) return `[${each(value.items)}]`;
  if (value instanceof PyTuple) return value.items.length === 1 ? `(${each(value.items)},)` : `(${each(value.items)})`;
  if (value instanceof PyDict) {
    return `{${join(Array.from(value.entries(), ([key, item]) => `${reprWithin(key, inner)}: ${reprWithin(item, inner)}`))}}`;
  }
  if (value instanceof PySet) return value.size === 0 ? 'set()' : `{${each(value.ordered())}}`;
  if (value instanceof PyBytes) return bytesRepr(value.bytes);
  if (value instanceof PyComplex) return complexRepr(value);
  if (value instanceof PySlice) return `slice(${each([value.start, value.stop, value.step])})`;
  if (value instanceof PyDictView) return viewRepr(value, inner);
  if (value instanceof PyCallable) return callableRepr(value);
  if (value.type === 'ellipsis') return 'Ellipsis';
  throw unsupported('the address of a generator');
}

function join(parts: readonly string[]): string {
  countText(parts.reduce((length, part) => length + part.length + 2, 0));
  return parts.join(', ');
}

/** An integer in decimal, up to 4300 digits. */
export function integerText(value: bigint): string {
  const text = value.toString();
  if (text.length > maxIntegerDigits && text.length - (value < 0n ? 1 : 0) > maxIntegerDigits) {
    throw valueError(
      `Exceeds the limit (${maxIntegerDigits} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
    );
  }
  return text;
}

function viewRepr({ dict, kind }: PyDictView, outer: readonly object[]): string {
  const items = Array.from(dict.entries(), ([key, item]) => (kind === 'keys' ? key : kind === 'values' ? item : new PyTuple([key, item])));
  return `dict_${kind}([${join(items.map((item) => reprWithin(item, outer)))}])`;
}

function bytesRepr(bytes: Uint8Array): string {
  const quote = bytes.includes(39) && !bytes.includes(34) ? '"' : "'";
  const text = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    if (character === quote || character === '\\') return `\\${character}`;
    if (character === '\n') return '\\n';
    if (character === '\r') return '\\r';
    if (character === '\t') return '\\t';
    return byte < 32 || byte > 126 ? `\\x${byte.toString(16).padStart(2, '0')}` : character;
  });
  return `b${quote}${text.join('')}${quote}`;
}

function complexRepr({ real, imag, inexact }: PyComplex): string {
  if (inexact) throw unsupported('the digits of a complex power');
  const part = (value: number) => floatRepr(value).replace(/\.0$/, '');
  if (real === 0 && !Object.is(real, -0)) return `${part(imag)}j`;
  const imaginary = part(imag);
  return `(${part(real)}${imaginary.startsWith('-') ? '' : '+'}${imaginary}j)`;
}

function callableRepr({ type, name, self, owner }: PyCallable): string {
  if (type === 'type') return `<class '${name}'>`;
  if (type === 'method_descriptor' && owner !== undefined) return `<method '${name}' of '${owner}' objects>`;
  if (type === 'builtin_function_or_method' && self === undefined && owner === undefined) return `<built-in function ${name}>`;
  throw unsupported('the address of a function');
}
