import { isJsonObject, type Json } from '#shared/json.ts';
import type { Draft } from './draft.ts';
import { rewritten } from './places.ts';
import type { TextPatch } from './text-patch.ts';
import { type BracketedStyle, bracketedPatches, indentAt } from './write-bracketed.ts';

/** Lines up to this length are not broken when a value is written. */
const lineLength = 100;

/** The patches that bring a JSON text to a draft, in the manner in which the text is laid out. */
export function jsonPatches(text: string, root: Draft): TextPatch[] {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const style: BracketedStyle = {
    newline,
    key: (key) => JSON.stringify(key),
    value: (value, indent, inline) => {
      const line = inlineJson(value);
      if ((inline && line.length <= lineLength) || typeof value !== 'object' || value === null) return line;
      return JSON.stringify(value, null, unit).replaceAll('\n', `${newline}${indent}`);
    },
  };
  const whole = rewritten(root);
  if (whole !== undefined) return [{ start: 0, end: text.length, text: `${style.value(whole, '', false)}${newline}` }];

  const patches: TextPatch[] = [];
  const write = (draft: Draft) => {
    if (draft.type === 'kept' || draft.type === 'fresh') return;
    const own = bracketedPatches(text, draft, style, (child, place, key) => {
      if (draft.type === 'object' && child.key !== key)
        patches.push({ start: place.start, end: place.keyEnd, text: JSON.stringify(child.key) });
      const value = rewritten(child.draft);
      if (value === undefined) return write(child.draft);
      const inline = /[[{]/.test(text.charAt(place.valueStart)) && !text.slice(place.valueStart, place.end).includes('\n');
      patches.push({ start: place.valueStart, end: place.end, text: style.value(value, indentAt(text, place.valueStart), inline) });
    });
    patches.push(...own);
  };
  write(root);
  return patches;
}

/** JSON on one line, with a space after commas, colons and inside braces. */
function inlineJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inlineJson).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inlineJson(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
