import { isJsonObject, type Json, jsonPointer } from '#shared/json.ts';

/** A value with the JSON Pointers of its whole numbers that are floats. */
interface FloatValue {
  readonly value: Json;
  readonly floats: readonly string[];
}

/** JSON text without spaces, in which floats of integral value keep their point. */
export function floatJson({ value, floats }: FloatValue): string {
  return floats.length === 0 ? JSON.stringify(value) : write(value, '', new Set(floats));
}

function write(value: Json, path: string, floats: ReadonlySet<string>): string {
  const below = (key: string | number) => path + jsonPointer([key]);
  if (typeof value === 'number') return floats.has(path) && Number.isInteger(value) ? pointed(value) : String(value);
  if (Array.isArray(value)) return `[${value.map((item: Json, index) => write(item, below(index), floats)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item, below(key), floats)}`)
    .join(',')}}`;
}

/** A float of integral value: `1.0`, and `1e+21` as it is. */
function pointed(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.includes('e') ? text : `${text}.0`;
}

/** Makes a number that `JSON.stringify` writes as this text. Newer than the types that the project compiles with. */
const { rawJSON } = JSON as typeof JSON & { readonly rawJSON?: (text: string) => Json };

/** The value for `JSON.stringify`, which then writes floats of integral value with their point. As it is where the platform cannot do that. */
export function withRawFloats({ value, floats }: FloatValue): Json {
  if (!rawJSON || floats.length === 0) return value;
  const known = new Set(floats);
  const copy = (item: Json, path: string): Json => {
    if (typeof item === 'number') return known.has(path) && Number.isInteger(item) ? rawJSON(pointed(item)) : item;
    if (Array.isArray(item)) return item.map((one: Json, index) => copy(one, path + jsonPointer([index])));
    if (!isJsonObject(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([key, one]) => [key, copy(one, path + jsonPointer([key]))]));
  };
  return copy(value, '');
}
