import { countOperations } from './budget.ts';
import { titleCases } from './case-tables.ts';

const titles = new Map<string, string>();
for (let index = 0; index < titleCases.length; index += 2) titles.set(titleCases[index] as string, titleCases[index + 1] as string);

/** The title case of one character. */
export function titleCase(character: string): string {
  // Georgian has capitals, but no capital begins a word.
  return titles.get(character) ?? (/[\u10d0-\u10ff]/.test(character) ? character : character.toUpperCase());
}

/** `str.title`. */
export function toTitle(text: string): string {
  return replaceCased(text, (character, lower, follows) => (follows ? lower : titleCase(character)));
}

/** `str.capitalize`. */
export function capitalize(text: string): string {
  const [first = ''] = text;
  return titleCase(first) + text.toLowerCase().slice(first.toLowerCase().length);
}

/** `str.swapcase`. */
export function swapCase(text: string): string {
  return replaceCased(text, (character, lower) =>
    /\p{Uppercase}/u.test(character) ? lower : /\p{Lowercase}/u.test(character) ? character.toUpperCase() : character,
  );
}

/** Replaces characters one by one; `lower` knows the sigma at the end of a word. */
function replaceCased(text: string, replace: (character: string, lower: string, follows: boolean) => string): string {
  countOperations(text.length);
  const lowered = text.toLowerCase();
  let at = 0;
  let follows = false;
  let result = '';
  for (const character of text) {
    const end = at + character.toLowerCase().length;
    result += replace(character, lowered.slice(at, end), follows);
    follows = isCased(character);
    at = end;
  }
  return result;
}

const isCased = (character: string) => /[\p{Lowercase}\p{Uppercase}\p{Lt}]/u.test(character);

/** `str.casefold`. */
export function caseFold(text: string): string {
  countOperations(text.length);
  let folded = '';
  for (const character of text) folded += foldCharacter(character);
  return folded;
}

function foldCharacter(character: string): string {
  if (character === 'ı') return character;
  if (character === 'ẞ') return 'ss';
  // Cherokee folds to capitals.
  if (/[\u13a0-\u13fd\uab70-\uabbf]/.test(character)) return character.toUpperCase();
  return Array.from(character.toUpperCase(), (upper) => upper.toLowerCase()).join('');
}
