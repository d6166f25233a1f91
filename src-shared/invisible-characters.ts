/*
 * Characters that are invisible, or that change how their surroundings are displayed: control characters, writing direction marks, zero-width
 * characters, tags, lone surrogates. A person who decides about a text must see them.
 */
const hidden = /[^\P{Cc}\n\t]|[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A text in which nothing is hidden: most names, and much faster to recognize than by looking for what is hidden. */
const plain = /^[\n\t -~]*$/;

/** Characters that can control a terminal. */
const controls = /[^\P{Cc}\n\t]/gu;

/** A part of a text. `name` is the name of one invisible character, such as `U+202E`; null for visible text. */
export interface TextPart {
  readonly text: string;
  readonly name: string | null;
}

/** Splits a text into parts, with each invisible character in its own part. */
export function partsByVisibility(text: string): TextPart[] {
  if (text !== '' && plain.test(text)) return [{ text, name: null }];
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (index > from) parts.push({ text: text.slice(from, index), name: null });
    parts.push({ text: character, name: nameOf(character) });
    from = index + character.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), name: null });
  return parts;
}

/** Replaces each invisible character with its name, as in `⟨U+202E⟩`. */
export function showInvisible(text: string): string {
  return plain.test(text) ? text : text.replace(hidden, (character) => `⟨${nameOf(character)}⟩`);
}

/** Removes invisible characters. */
export function removeInvisible(text: string): string {
  return text.replace(hidden, '');
}

/** Replaces invisible characters with escapes of JSON and JavaScript, so that JSON keeps its meaning. */
export function escapeInvisible(text: string): string {
  return text.replace(hidden, escaped);
}

/** Replaces only control characters with escapes, because a program may read the rest. */
export function escapeControls(text: string): string {
  return text.replace(controls, escaped);
}

const escaped = (character: string) => [...Array(character.length).keys()].map((at) => `\\u${hex(character.charCodeAt(at))}`).join('');

const hex = (code: number): string => code.toString(16).padStart(4, '0');

function nameOf(character: string): string {
  return `U+${hex(character.codePointAt(0) ?? 0).toUpperCase()}`;
}
