/** A JSON value. States, inputs, results and payloads are all of this type. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object with its keys in insertion order. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON Schema (draft 2020-12), as written in a document. */
export type JsonSchema = boolean | JsonObject;

/**
 * `T` with every part that is not JSON replaced by `never`: functions, `unknown`, bigints, symbols, and what has methods (`Map`, `Date`).
 * Accepts interfaces, which have no index signature, and optional fields, which JSON text omits if they are undefined.
 */
export type JsonShaped<T> = unknown extends T
  ? never
  : T extends Json | undefined
    ? T
    : T extends (...args: never[]) => unknown
      ? never
      : T extends object
        ? { readonly [Key in keyof T]: JsonShaped<T[Key]> }
        : never;

/** What a value is as JSON: an object stays an object, a list a list. */
type AsJson<T> = T extends readonly unknown[] ? readonly Json[] : T extends object ? JsonObject : Json;

/** The same value as `Json`. The compiler rejects a value whose type is not JSON-shaped; nothing is checked or copied at run time. */
export function toJson<T>(value: T & JsonShaped<T>): AsJson<T> {
  // `JsonShaped` has checked it; the compiler cannot relate an interface to an index signature.
  return value as unknown as AsJson<T>;
}

/** Applies a change that replaces only strings, numbers and booleans by others of their type, so that the value keeps its type. */
export function changeJson<T>(value: T & JsonShaped<T>, change: (json: AsJson<T>) => Json): T {
  // Guaranteed by `change`.
  return change(toJson<T>(value)) as unknown as T;
}

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
