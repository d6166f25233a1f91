/*
 * Signs that a screen shows as nothing, or that change how what stands round them is shown: control characters, marks of writing direction,
 * characters of no width, tags, parts of no character. Whoever decides about a text must see them.
 */
const hidden = /[^\P{Cc}\n\t]|[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Characters that may give a terminal orders. */
const controls = /[^\P{Cc}\n\t]/gu;

/** A part of a text; `name` stands for one hidden sign, such as `U+202E`, and is null for what is seen. */
export interface TextPart {
  readonly text: string;
  readonly name: string | null;
}

/** A text in parts, each hidden sign by itself; no part of a text without any but the text. */
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

/** A text with `⟨U+202E⟩` in the place of each hidden sign. */
export function withHiddenSignsShown(text: string): string {
  return text.replace(hidden, (sign) => `⟨${nameOf(sign)}⟩`);
}

/** A text without its hidden signs. */
export function withoutHiddenSigns(text: string): string {
  return text.replace(hidden, '');
}

/** The escapes of JSON and JavaScript in the place of hidden signs: text of JSON stays what it is. */
export function withHiddenSignsEscaped(text: string): string {
  return text.replace(hidden, escaped);
}

/** The same for control characters alone; everything else stays as it is, since a program may read it. */
export function withControlsEscaped(text: string): string {
  return text.replace(controls, escaped);
}

const escaped = (sign: string) => [...Array(sign.length).keys()].map((at) => `\\u${hex(sign.charCodeAt(at))}`).join('');

const hex = (code: number): string => code.toString(16).padStart(4, '0');

function nameOf(sign: string): string {
  return `U+${hex(sign.codePointAt(0) ?? 0).toUpperCase()}`;
}
