import type { Json } from '#shared/json.ts';

/**
 * Parses JSON from a model's text: as is, or (with `repair`) from a code fence or the surrounding prose, dropping trailing commas and closing
 * open brackets, except if the text was `cut`: half of a value would pass for the whole. Undefined if there is no JSON.
 */
export function readJson(text: string, repair: boolean, cut = false): Json | undefined {
  const plain = parsed(text.trim());
  if (plain !== undefined || !repair) return plain;
  const fenced = /```(?:json)?\s*\n?([\s\S]*?)```/i.exec(text)?.[1]?.trim();
  const start = text.search(/[{[]/);
  const candidates = [fenced, start < 0 ? undefined : text.slice(start)].filter((candidate) => candidate !== undefined);
  for (const candidate of candidates) {
    const value = parsed(candidate) ?? parsed(closed(candidate, cut));
    if (value !== undefined) return value;
  }
  return undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Extracts the first value in the text: drops trailing text and commas, and closes open brackets; empty if the text was `cut`. */
function closed(text: string, cut: boolean): string {
  const open: string[] = [];
  let result = '';
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (inString) {
      result += character;
      if (character === '\\') {
        index += 1;
        result += text.charAt(index);
      } else if (character === '"') inString = false;
      continue;
    }
    if (character === '}' || character === ']') {
      result = result.replace(/,\s*$/, '') + character;
      open.pop();
      if (open.length === 0) return result;
      continue;
    }
    if (character === '"') inString = true;
    else if (character === '{') open.push('}');
    else if (character === '[') open.push(']');
    result += character;
  }
  if (cut) return '';
  if (inString) result += '"';
  return result.replace(/[,:]\s*$/, (end) => (end.startsWith(':') ? ':null' : '')) + open.toReversed().join('');
}
