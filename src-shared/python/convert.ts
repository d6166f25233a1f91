import { pyRepr, pyStr } from './repr.ts';
import { asciiOnly } from './text-repr.ts';
import type { PyValue } from './values.ts';

/** `!r`, `!s`, `!a`. */
export function convert(value: PyValue, conversion: string | undefined): PyValue {
  if (conversion === 'r') return pyRepr(value);
  if (conversion === 's') return pyStr(value);
  return conversion === 'a' ? asciiOnly(pyRepr(value)) : value;
}
