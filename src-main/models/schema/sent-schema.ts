import { copySchema, Inexpressible } from '#main/models/schema/copy-schema.ts';
import type { SchemaDialect } from '#main/models/schema/dialects.ts';
import { withoutNulls } from '#main/models/schema/restore-answer.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';

/** A schema as a provider gets it, and the way back from its answer. */
export interface SentSchema {
  readonly schema: JsonObject;
  /** False when the dialect cannot say it, and `schema` is the author's own. */
  readonly exact: boolean;
  /** The value that an answer to `schema` stands for. */
  readonly restore: (answer: Json) => Json;
}

/** Puts a schema into a dialect. What is no object is wrapped as `{output: …}` where the outermost value must be one. */
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

/** The author's own schema, in no dialect, for an answer whose outermost value must be an object. */
export function ownSchema(schema: JsonSchema): SentSchema {
  const own = isJsonObject(schema) ? schema : {};
  if (isObjectSchema(own)) return { schema: own, exact: false, restore: (answer) => answer };
  // References are counted from the root, which is another one now.
  return { schema: wrapper(moved(own) as JsonObject), exact: false, restore: unwrapped };
}

/** The schema of a tool's input, which is always an object, whatever its author left out. */
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
