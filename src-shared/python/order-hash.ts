import { PyTuple, type PyValue } from './values.ts';

const modulus = (1n << 61n) - 1n;
const signed64 = (value: bigint) => BigInt.asIntN(64, value);
const unsigned64 = (value: bigint) => BigInt.asUintN(64, value);

/** CPython's hash on 64 bits; nothing where it is random (texts, bytes) or an address. */
export function orderHash(value: PyValue): bigint | undefined {
  if (typeof value === 'bigint') return integerHash(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return floatHash(value);
  if (value === null) return 0xfca86420n;
  if (value instanceof PyTuple) return tupleHash(value.items);
  return undefined;
}

const notMinusOne = (hash: bigint) => (hash === -1n ? -2n : hash);

const integerHash = (value: bigint) => notMinusOne(value % modulus);

function floatHash(value: number): bigint {
  if (value === Number.POSITIVE_INFINITY) return 314159n;
  if (value === Number.NEGATIVE_INFINITY) return -314159n;
  // value = mantissa / 2^shift; 2^-1 is 2^60 modulo 2^61 - 1.
  let mantissa = Math.abs(value);
  let shift = 0n;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    shift++;
  }
  const power = 1n << ((60n * shift) % 61n);
  const hash = ((BigInt(mantissa) % modulus) * power) % modulus;
  return notMinusOne(value < 0 ? -hash : hash);
}

const prime1 = 11400714785074694791n;
const prime2 = 14029467366897019727n;
const prime5 = 2870177450012600261n;

function tupleHash(items: readonly PyValue[]): bigint | undefined {
  let hash = prime5;
  for (const item of items) {
    const lane = orderHash(item);
    if (lane === undefined) return undefined;
    hash = unsigned64(hash + unsigned64(lane) * prime2);
    hash = unsigned64((hash << 31n) | (hash >> 33n));
    hash = unsigned64(hash * prime1);
  }
  hash = unsigned64(hash + (BigInt(items.length) ^ (prime5 ^ 3527539n)));
  return hash === unsigned64(-1n) ? 1546275796n : signed64(hash);
}
