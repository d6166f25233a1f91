import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** Most levels of fields that are offered. */
const deepest = 3;

/** Fields that a template over a value of this schema can name, outer ones first: `subject`, `customer`, `customer.name`. */
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
    if (depth < deepest && isJsonObject(inner)) yield* pathsOf(inner, root, `${prefix}${name}.`, depth + 1);
  }
}

/** A schema behind a local reference; itself where there is none. */
function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  if (typeof schema.$ref !== 'string' || !schema.$ref.startsWith('#/')) return schema;
  let value: Json | undefined = root;
  for (const key of schema.$ref.slice(2).split('/')) value = isJsonObject(value ?? null) ? (value as JsonObject)[key] : undefined;
  return isJsonObject(value ?? null) ? (value as JsonObject) : {};
}

const depthOf = (path: string) => path.split('.').length;

/** The placeholder that is being written at the caret: where its text begins, and the fields that fit it. */
export interface FieldCompletion {
  readonly start: number;
  readonly options: readonly string[];
}

/** What to offer at the caret of a template; null where no placeholder is begun there. */
export function completionAt(text: string, caret: number, fields: readonly string[]): FieldCompletion | null {
  const before = text.slice(0, caret);
  const begun = /(?<!\{)(?:\{\{)*\{([A-Za-z_][A-Za-z0-9_.]*)?$/.exec(before);
  if (!begun) return null;
  const query = (begun[1] ?? '').toLowerCase();
  const options = fields.filter((field) => field.toLowerCase().includes(query));
  return options.length > 0 ? { start: caret - query.length, options } : null;
}

/** The template with the field put in, and the caret after it. */
export function completed(text: string, caret: number, start: number, field: string): { readonly text: string; readonly caret: number } {
  const rest = text.slice(caret).replace(/^[A-Za-z0-9_.]*\}?/, '');
  const head = `${text.slice(0, start)}${field}}`;
  return { text: head + rest, caret: head.length };
}
