import { isJsonObject, type Json, jsonPointer } from '#shared/json.ts';
import type { StateValue } from './session.ts';

/** JSON text without spaces, in which floats of integral value keep their point. */
export function compactJson({ value, floats }: StateValue): string {
  return write(value, '', new Set(floats));
}

function write(value: Json, path: string, floats: ReadonlySet<string>): string {
  const below = (key: string | number) => path + jsonPointer([key]);
  if (typeof value === 'number') return floats.has(path) ? `${value}.0` : String(value);
  if (Array.isArray(value)) return `[${value.map((item: Json, index) => write(item, below(index), floats)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item, below(key), floats)}`)
    .join(',')}}`;
}
