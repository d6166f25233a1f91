import { countText } from './budget.ts';

const special = /[\p{C}\p{Z}'"\\]/u;
const specials = /[\p{C}\p{Z}'"\\]/gu;
const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** `repr` of a text. */
export function textRepr(text: string): string {
  countText(text.length);
  if (!special.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return `${quote}${text.replace(specials, (character) => escapeCharacter(character, quote))}${quote}`;
}

/** `ascii` of a text: `repr` with everything beyond ASCII escaped. */
export function asciiOnly(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII stays
  return text.replace(/[^\x00-\x7f]/gu, codeEscape);
}

function escapeCharacter(character: string, quote: string): string {
  if (character === ' ') return character;
  if (character === "'" || character === '"') return character === quote ? `\\${character}` : character;
  if (character === '\\') return '\\\\';
  return controls[character] ?? codeEscape(character);
}

function codeEscape(character: string): string {
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
