import type { Json } from '#shared/json.ts';

export type ParsedJson = { readonly value: Json } | { readonly error: string };

/** Parses JSON text that the user typed; the error says where it is invalid. */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === '') return { error: 'Enter a JSON value, for example {}.' };
  try {
    return { value: JSON.parse(text) as Json };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const position = Number(message.match(/position (\d+)/)?.[1] ?? Number.NaN);
    if (Number.isNaN(position)) return { error: `Invalid JSON: ${message}.` };
    const before = text.slice(0, position).split('\n');
    return { error: `Invalid JSON: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.` };
  }
}

/** The text of a value for editing. */
export function jsonText(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}
