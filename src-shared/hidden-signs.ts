/*
 * Characters that are invisible, or that change how their surroundings are displayed: control characters, writing direction marks, zero-width
 * characters, tags, lone surrogates. A person who decides about a text must see them.
 */
const hidden = /[^\P{Cc}\n\t]|[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Characters that can control a terminal. */
const controls = /[^\P{Cc}\n\t]/gu;

/** A part of a text. `name` is the name of one invisible character, such as `U+202E`; null for visible text. */
export interface TextPart {
  readonly text: string;
  readonly name: string | null;
}

/** Splits a text into parts, with each invisible character in its own part. */
export function partsByVisibility(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(hidden)) {
    if (index > from) parts.push({ text: text.slice(from, index), name: null });
    parts.push({ text: sign, name: nameOf(sign) });
    from = index + sign.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), name: null });
  return parts;
}

/** Replaces each invisible character with its name, as in `⟨U+202E⟩`. */
export function withHiddenSignsShown(text: string): string {
  return text.replace(hidden, (sign) => `⟨${nameOf(sign)}⟩`);
}

/** Removes invisible characters. */
export function withoutHiddenSigns(text: string): string {
  return text.replace(hidden, '');
}

/** Replaces invisible characters with escapes of JSON and JavaScript, so that JSON keeps its meaning. */
export function withHiddenSignsEscaped(text: string): string {
  return text.replace(hidden, escaped);
}

/** Replaces only control characters with escapes, because a program may read the rest. */
export function withControlsEscaped(text: string): string {
  return text.replace(controls, escaped);
}

const escaped = (sign: string) => [...Array(sign.length).keys()].map((at) => `\\u${hex(sign.charCodeAt(at))}`).join('');

const hex = (code: number): string => code.toString(16).padStart(4, '0');

function nameOf(sign: string): string {
  return `U+${hex(sign.codePointAt(0) ?? 0).toUpperCase()}`;
}
