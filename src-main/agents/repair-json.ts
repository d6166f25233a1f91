import type { Json } from '#shared/json.ts';

/**
 * Reads JSON out of a model's text: as it is, or (with `repair`) out of a code fence or the prose around it, without trailing commas,
 * and with what was left open closed, unless it is known to have been `cut`: the half of a value would pass for the whole. Undefined when there is none
 * to be read.
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

/** The first value in the text: what follows it is dropped, trailing commas too, and what is open at the end is closed; empty where that was `cut`. */
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
