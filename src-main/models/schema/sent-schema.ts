import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { copySchema, Inexpressible } from './copy-schema.ts';
import type { SchemaDialect } from './dialects.ts';
import { withoutNulls } from './restore-answer.ts';

/** A schema in a provider's dialect, and how to convert its answer back. */
export interface SentSchema {
  readonly schema: JsonObject;
  /** False if the dialect cannot express it and `schema` is the author's own. */
  readonly exact: boolean;
  /** Converts an answer for `schema` to the author's schema. */
  readonly restore: (answer: Json) => Json;
}

/** Converts a schema to a dialect. A schema that is not an object is wrapped as `{output: …}` if the root must be an object. */
export function sentSchema(schema: JsonSchema, dialect: SchemaDialect): SentSchema {
  try {
    const copy = copySchema(schema, dialect);
    const wraps = dialect.object_root && !isObjectSchema(schema);
    const restore = (answer: Json) => {
      const value = wraps ? unwrapped(answer) : answer;
      return dialect.all_required ? withoutNulls(schema, value) : value;
    };
    return { schema: wraps ? wrapper(copy) : copy, exact: true, restore };
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    return dialect.object_root
      ? ownSchema(schema)
      : { schema: isJsonObject(schema) ? schema : {}, exact: false, restore: (answer) => answer };
  }
}

/** The author's own schema, for an answer whose root must be an object. */
export function ownSchema(schema: JsonSchema): SentSchema {
  const own = isJsonObject(schema) ? schema : {};
  if (isObjectSchema(own)) return { schema: own, exact: false, restore: (answer) => answer };
  // Wrapping changes the root, so references must be adjusted.
  return { schema: wrapper(moved(own) as JsonObject), exact: false, restore: unwrapped };
}

/** The schema of a tool's input, which is always an object even if its author omitted the type. */
export function inputSchema(schema: JsonSchema): JsonObject {
  const own = isJsonObject(schema) ? schema : {};
  return { ...own, type: 'object', properties: own.properties ?? {} };
}

function wrapper(output: JsonObject): JsonObject {
  return { type: 'object', properties: { output }, required: ['output'], additionalProperties: false };
}

function unwrapped(answer: Json): Json {
  return isJsonObject(answer) ? (answer.output ?? null) : answer;
}

function moved(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(moved);
  if (!isJsonObject(schema)) return schema;
  const place = (key: string, value: Json) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#/, '#/properties/output') : moved(value);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, place(key, value)]));
}

function isObjectSchema(schema: JsonSchema): boolean {
  return (
    isJsonObject(schema) &&
    schema.anyOf === undefined &&
    schema.oneOf === undefined &&
    (schema.type === 'object' || schema.properties !== undefined)
  );
}
