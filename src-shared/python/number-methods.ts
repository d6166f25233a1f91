import { argumentType, asInteger, asSize } from './argument-types.ts';
import { countBytes } from './budget.ts';
import { decompose } from './decimal.ts';
import { PythonError, typeError, unsupported, valueError } from './errors.ts';
import { floatFromHex, floatHex } from './float-hex.ts';
import { toArray } from './iterate.ts';
import { MethodTableBuilder, namedSignature } from './method.ts';
import { bitLength } from './scale.ts';
import { bindBuiltin } from './signature.ts';
import { isTrue } from './truth.ts';
import { typeName } from './type-name.ts';
import { PyBytes, PyComplex, PyTuple, type PyValue } from './values.ts';

type Integer = bigint | boolean;
const fromBytes = namedSignature('bytes, byteorder=, *, signed=');

/** Methods of `int` and `bool`. */
export const integerMethods = new MethodTableBuilder<Integer>('int')
  .none('as_integer_ratio', (value) => new PyTuple([BigInt(value), 1n]))
  .none('bit_count', (value) => BigInt(BigInt(value).toString(2).replace(/[-0]/g, '').length))
  .none('bit_length', (value) => BigInt(bitLength(BigInt(value))))
  .none('conjugate', (value) => BigInt(value))
  .none('is_integer', () => true)
  .named('to_bytes', 'length=, byteorder=, *, signed=', (value, length = 1n, order = 'big', signed = false) =>
    toBytes(BigInt(value), asSize(length), isBigEndian('to_bytes', order), isTrue(signed)),
  )
  .raw(
    'from_bytes',
    (self, args, keywords) => {
      const [bytes, order = 'big', signed = false] = bindBuiltin('int.from_bytes', fromBytes, args, keywords);
      const isBig = isBigEndian('from_bytes', order);
      const list = byteList(bytes as PyValue);
      if (!isBig) list.reverse();
      const value = list.length === 0 ? 0n : BigInt(`0x${list.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`);
      const integer = isTrue(signed) ? BigInt.asIntN(list.length * 8, value) : value;
      return typeof self === 'boolean' ? integer !== 0n : integer;
    },
    { isStatic: true },
  )
  .build();

function isBigEndian(name: string, order: PyValue): boolean {
  if (typeof order !== 'string') throw typeError(`${name}() argument 'byteorder' must be str, not ${argumentType(order)}`);
  if (order !== 'big' && order !== 'little') throw valueError("byteorder must be either 'little' or 'big'");
  return order === 'big';
}

function byteList(value: PyValue): number[] {
  if (value instanceof PyBytes) return [...value.bytes];
  if (typeof value === 'string') throw typeError("cannot convert 'str' object to bytes");
  return toArray(value, `cannot convert '${typeName(value)}' object to bytes`).map((item) => {
    const byte = asInteger(item);
    if (byte < 0n || byte > 255n) throw valueError('bytes must be in range(0, 256)');
    return Number(byte);
  });
}

function toBytes(value: bigint, length: number, isBig: boolean, signed: boolean): PyBytes {
  if (length < 0) throw valueError('length argument must be non-negative');
  if (value < 0n && !signed) throw new PythonError('OverflowError', "can't convert negative int to unsigned");
  countBytes(length);
  const bits = BigInt(length) * 8n;
  const fits = signed ? bitLength(value < 0n ? ~value : value) < bits || value === 0n : bitLength(value) <= bits;
  if (!fits) throw new PythonError('OverflowError', 'int too big to convert');
  const hex = BigInt.asUintN(Number(bits), value)
    .toString(16)
    .padStart(length * 2, '0');
  const bytes = length === 0 ? [] : (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return new PyBytes(Uint8Array.from(isBig ? bytes : bytes.reverse()));
}

/** Methods of `float`. */
export const floatMethods = new MethodTableBuilder<number>('float')
  .none('as_integer_ratio', (value) => {
    if (Number.isNaN(value)) throw valueError('cannot convert NaN to integer ratio');
    if (!Number.isFinite(value)) throw new PythonError('OverflowError', 'cannot convert Infinity to integer ratio');
    let { mantissa, exponent } = decompose(value);
    for (; exponent < 0 && mantissa % 2n === 0n && mantissa > 0n; exponent++) mantissa /= 2n;
    const numerator = exponent > 0 ? mantissa << BigInt(exponent) : mantissa;
    const denominator = exponent < 0 && mantissa > 0n ? 1n << BigInt(-exponent) : 1n;
    return new PyTuple([value < 0 ? -numerator : numerator, denominator]);
  })
  .none('conjugate', (value) => value)
  .none('hex', floatHex)
  .none('is_integer', (value) => Number.isInteger(value))
  .raw(
    'fromhex',
    (_, args, keywords) => {
      const [text] = bindBuiltin('float.fromhex', { kind: 'one' }, args, keywords);
      if (typeof text !== 'string') throw typeError('bad argument type for built-in operation');
      return floatFromHex(text);
    },
    { isStatic: true },
  )
  .build();

/** Methods of `complex`. */
export const complexMethods = new MethodTableBuilder<PyComplex>('complex')
  .none('conjugate', ({ real, imag, inexact }) => {
    if (inexact) throw unsupported('the digits of a complex power');
    return new PyComplex(real, -imag);
  })
  .build();
