/** A JSON value. States, inputs, results and payloads are all of this type. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object with its keys in insertion order. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON Schema (draft 2020-12), as written in a document. */
export type JsonSchema = boolean | JsonObject;

/** True for a plain object, as opposed to null, an array or a scalar. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Encodes path segments as a JSON Pointer (RFC 6901): `['a/b', 0]` gives `/a~1b/0`. */
export function jsonPointer(segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** JSON text with object keys sorted at every depth, so that equal values have equal text. Used for hashes. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`);
  return `{${fields.join(',')}}`;
}
