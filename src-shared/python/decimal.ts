const view = new DataView(new ArrayBuffer(8));

/** A finite float as `mantissa * 2 ** exponent`; the mantissa is not negative. */
export function decompose(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0 ? { mantissa: fraction, exponent: -1074 } : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** `numerator / denominator`, rounded half to even. */
export function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  return twice > denominator || (twice === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** `abs(value) * 10 ** digits` as an integer, rounded half to even on the exact binary value. */
export function scaledInteger(value: number, digits: number): bigint {
  const { mantissa, exponent } = decompose(value);
  const numerator = mantissa * (digits > 0 ? 10n ** BigInt(digits) : 1n) * (exponent > 0 ? 1n << BigInt(exponent) : 1n);
  const denominator = (digits < 0 ? 10n ** BigInt(-digits) : 1n) * (exponent < 0 ? 1n << BigInt(-exponent) : 1n);
  return divideToEven(numerator, denominator);
}

/** A float rounded to decimal digits. */
export function roundToDigits(value: number, digits: number): number {
  // `toFixed` is exact but rounds ties up; a tie has at most one binary place more than decimal ones.
  if (digits >= 0 && digits <= 15 && Math.abs(value) < 1e15 && !Number.isInteger(value * 2 ** (digits + 1)))
    return Number(value.toFixed(digits));
  const scaled = scaledInteger(value, digits);
  const text = `${value < 0 ? '-' : ''}${scaled}e${-digits}`;
  return Number(text);
}
