/** The number of bits of the absolute value. */
export function bitLength(value: bigint): number {
  const hex = (value < 0n ? -value : value).toString(16);
  return value === 0n ? 0 : (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex[0] as string, 16)));
}

/** `mantissa * 2 ** exponent`, rounded once to even; `mantissa` is not negative. */
export function scale(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n) return 0;
  const excess = Math.max(bitLength(mantissa) - 53, -1074 - exponent);
  if (excess <= 0) return Number(mantissa) * 2 ** Math.max(exponent, -1074) * 2 ** Math.min(0, exponent + 1074);
  const shift = BigInt(excess);
  let kept = mantissa >> shift;
  const rest = mantissa - (kept << shift);
  const half = 1n << (shift - 1n);
  if (rest > half || (rest === half && kept % 2n === 1n)) kept += 1n;
  const power = exponent + excess;
  return power > 971 ? (power > 1023 ? Number.POSITIVE_INFINITY : Number(kept) * 2 ** 971 * 2 ** (power - 971)) : Number(kept) * 2 ** power;
}
