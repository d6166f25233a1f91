import { countOperations } from './budget.ts';
import { integerText } from './repr.ts';
import { bitLength } from './scale.ts';

const bases: Readonly<Record<string, { readonly base: number; readonly prefix: string }>> = {
  b: { base: 2, prefix: '0b' },
  o: { base: 8, prefix: '0o' },
  x: { base: 16, prefix: '0x' },
  X: { base: 16, prefix: '0X' },
};

/** The digits of an integer's absolute value as a format letter writes them. */
export function integerDigits(value: bigint, type: string): { readonly prefix: string; readonly digits: string } {
  const size = value < 0n ? -value : value;
  const found = bases[type];
  if (!found) return { prefix: '', digits: integerText(size) };
  countOperations(bitLength(size) / 256);
  const digits = size.toString(found.base);
  return { prefix: found.prefix, digits: type === 'X' ? digits.toUpperCase() : digits };
}
