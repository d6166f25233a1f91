import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** How many levels of fields are offered. */
const maxDepth = 3;

/** Field paths of a schema for templates, outer ones first: `subject`, `customer`, `customer.name`. */
export function fieldPaths(schema: Json | undefined): string[] {
  if (!isJsonObject(schema ?? null)) return [];
  return [...pathsOf(schema as JsonObject, schema as JsonObject, '', 1)].sort((one, other) => depthOf(one) - depthOf(other));
}

function* pathsOf(schema: JsonObject, root: JsonObject, prefix: string, depth: number): Generator<string> {
  const { properties } = resolved(schema, root);
  if (!isJsonObject(properties ?? null)) return;
  for (const [name, inner] of Object.entries(properties as JsonObject)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) continue;
    yield prefix + name;
    if (depth < maxDepth && isJsonObject(inner)) yield* pathsOf(inner, root, `${prefix}${name}.`, depth + 1);
  }
}

/** Resolves a local reference; returns the schema itself if it is not one. */
function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  if (typeof schema.$ref !== 'string' || !schema.$ref.startsWith('#/')) return schema;
  let value: Json | undefined = root;
  for (const key of schema.$ref.slice(2).split('/')) value = isJsonObject(value ?? null) ? (value as JsonObject)[key] : undefined;
  return isJsonObject(value ?? null) ? (value as JsonObject) : {};
}

const depthOf = (path: string) => path.split('.').length;

/** The placeholder at the caret: where its text starts, and the matching fields. */
export interface FieldCompletion {
  readonly start: number;
  readonly options: readonly string[];
}

/** Completions at the caret of a template, or null if the caret is not in an open placeholder. */
export function completionAt(text: string, caret: number, fields: readonly string[]): FieldCompletion | null {
  const before = text.slice(0, caret);
  const opened = /(?<!\{)(?:\{\{)*\{([A-Za-z_][A-Za-z0-9_.]*)?$/.exec(before);
  if (!opened) return null;
  const query = (opened[1] ?? '').toLowerCase();
  const options = fields.filter((field) => field.toLowerCase().includes(query));
  return options.length > 0 ? { start: caret - query.length, options } : null;
}

/** Inserts the field into the template. Returns the new text and the caret after it. */
export function insertCompletion(
  text: string,
  caret: number,
  start: number,
  field: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(caret).replace(/^[A-Za-z0-9_.]*\}?/, '');
  const head = `${text.slice(0, start)}${field}}`;
  return { text: head + rest, caret: head.length };
}
