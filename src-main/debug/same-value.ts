import { isJsonObject, type Json, jsonPointer } from '#shared/json.ts';
import { sameValue } from '#shared/value-changes.ts';

/** Values inside a value that are compared at most. */
const mostCompared = 100_000;
/** The shortest string that counts as found inside a longer text. */
const shortestText = 4;

/** Whether a value is likely to be in two places by chance: null, booleans and what is empty. */
export function isCommon(value: Json): boolean {
  if (value === null || typeof value === 'boolean' || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Returns the JSON Pointers at which `within` contains a value, at most `limit` of them. */
export function pointersTo(wanted: Json, within: Json, limit: number): string[] {
  return search(within, limit, (value) => sameValue(value, wanted));
}

/** Whether a tool's result contains a value, or a text that contains it. */
export function isFoundIn(wanted: Json, result: Json): boolean {
  const isText = typeof wanted === 'string' && wanted.length >= shortestText;
  return (
    search(result, 1, (value) => sameValue(value, wanted) || (isText && typeof value === 'string' && value.includes(wanted))).length > 0
  );
}

function search(within: Json, limit: number, matches: (value: Json) => boolean): string[] {
  const found: string[] = [];
  const waiting: { readonly value: Json; readonly path: readonly (string | number)[] }[] = [{ value: within, path: [] }];
  for (let compared = 0; compared < mostCompared && found.length < limit; compared += 1) {
    const next = waiting.pop();
    if (!next) break;
    const { value, path } = next;
    // What is inside of a match is not looked at: it is the same by being part of it.
    if (matches(value)) found.push(jsonPointer(path));
    else if (Array.isArray(value)) value.forEach((item, index) => void waiting.push({ value: item, path: [...path, index] }));
    else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) waiting.push({ value: item, path: [...path, key] });
  }
  return found;
}
