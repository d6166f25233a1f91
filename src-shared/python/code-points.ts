import { countOperations } from './budget.ts';

const surrogates = /[\ud800-\udfff]/;

/** True when each UTF-16 unit is a character of its own. */
export function isSimple(text: string): boolean {
  if (text.length > 256) countOperations(text.length / 1024);
  return !surrogates.test(text);
}

/** `len(text)`. */
export function textLength(text: string): number {
  if (isSimple(text)) return text.length;
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** The characters, one code point each. */
export function characters(text: string): readonly string[] {
  countOperations(text.length / 16);
  return Array.from(text);
}

/** The offset in UTF-16 units of the code point with this index. */
export function unitOffset(text: string, index: number): number {
  if (isSimple(text)) return index;
  let at = 0;
  for (let count = 0; count < index && at < text.length; count++) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
  return at;
}
