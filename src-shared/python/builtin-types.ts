import { decodeBytes } from './bytes-methods.ts';
import { typeError, valueError } from './errors.ts';
import { toArray } from './iterate.ts';
import { namedSignature } from './method.ts';
import { parseFloatText, parseIntegerText } from './number-text.ts';
import { toFloat } from './numbers.ts';
import { pyStr } from './repr.ts';
import { bindBuiltin } from './signature.ts';
import { truncate } from './to-integer.ts';
import { isTrue } from './truth.ts';
import { typeName } from './type-name.ts';
import { PyBytes, type PyKeywords, PyList, PyTuple, type PyValue } from './values.ts';

const positional = (name: string, max: number, args: PyValue[], keywords?: PyKeywords) => {
  if (keywords && keywords.size > 0) throw typeError(`${name}() takes no keyword arguments`);
  return bindBuiltin(name, { kind: 'positional', min: 0, max }, args);
};

/** `bool(x)`. */
export function toBool(args: PyValue[], keywords?: PyKeywords): PyValue {
  const [value = false] = positional('bool', 1, args, keywords);
  return isTrue(value);
}

/** `list(xs)`. */
export function toList(args: PyValue[], keywords?: PyKeywords): PyValue {
  const [values] = positional('list', 1, args, keywords);
  return new PyList(values === undefined ? [] : toArray(values));
}

/** `tuple(xs)`. */
export function toTuple(args: PyValue[], keywords?: PyKeywords): PyValue {
  const [values] = positional('tuple', 1, args, keywords);
  if (values instanceof PyTuple) return values;
  return new PyTuple(values === undefined ? [] : toArray(values));
}

/** `float(x)`. */
export function toFloatType(args: PyValue[], keywords?: PyKeywords): PyValue {
  const [value = 0] = positional('float', 1, args, keywords);
  if (typeof value === 'string') return parseFloatText(value, value);
  if (value instanceof PyBytes) return parseFloatText(String.fromCharCode(...value.bytes), value);
  if (typeof value === 'number' || typeof value === 'bigint') return toFloat(value);
  if (typeof value === 'boolean') return Number(value);
  throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`);
}

const integerSignature = namedSignature('x=, /, base=');

/** `int(x, base=10)`. */
export function toInteger(args: PyValue[], keywords?: PyKeywords): PyValue {
  if (args.length > 2) throw typeError(`int expected at most 2 arguments, got ${args.length}`);
  const [value, base] = bindBuiltin('int', integerSignature, args, keywords);
  if (value === undefined) {
    if (base !== undefined) throw typeError('int() missing string argument');
    return 0n;
  }
  if (base !== undefined) return withBase(value, base);
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return BigInt(value);
  if (typeof value === 'number') return truncate(value);
  if (typeof value === 'string') return parseIntegerText(value, 10, value);
  if (value instanceof PyBytes) return parseIntegerText(String.fromCharCode(...value.bytes), 10, value);
  throw typeError(`int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`);
}

function withBase(value: PyValue, base: PyValue): PyValue {
  if (typeof base !== 'bigint' && typeof base !== 'boolean')
    throw typeError(`'${typeName(base)}' object cannot be interpreted as an integer`);
  const number = Number(base);
  if (number !== 0 && (number < 2 || number > 36)) throw valueError('int() base must be >= 2 and <= 36, or 0');
  if (typeof value === 'string') return parseIntegerText(value, number, value);
  if (value instanceof PyBytes) return parseIntegerText(String.fromCharCode(...value.bytes), number, value);
  throw typeError("int() can't convert non-string with explicit base");
}

const textSignature = namedSignature('object=, encoding=, errors=');

/** `str(x)`. */
export function toText(args: PyValue[], keywords?: PyKeywords): PyValue {
  const [value = '', encoding, errors] = bindBuiltin('str', textSignature, args, keywords);
  if (encoding === undefined && errors === undefined) return pyStr(value);
  for (const [name, given] of Object.entries({ encoding, errors })) {
    if (given !== undefined && typeof given !== 'string') throw typeError(`str() argument '${name}' must be str, not ${typeName(given)}`);
  }
  if (value instanceof PyBytes) return decodeBytes(value, encoding, errors);
  if (typeof value === 'string') throw typeError('decoding str is not supported');
  throw typeError(`decoding to str: need a bytes-like object, ${typeName(value)} found`);
}
