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
  const wraps = dialect.object_root && !isObjectSchema(schema);
  const outer = (inner: JsonObject): JsonObject =>
    wraps ? { type: 'object', properties: { output: inner }, required: ['output'], additionalProperties: false } : inner;
  const unwrap = (answer: Json): Json => (wraps && isJsonObject(answer) ? (answer.output ?? null) : answer);
  try {
    const copy = copySchema(schema, dialect);
    const restore = (answer: Json) => (dialect.all_required ? withoutNulls(schema, unwrap(answer)) : unwrap(answer));
    return { schema: outer(copy), exact: true, restore };
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    const own = isJsonObject(schema) ? schema : {};
    // A reference is counted from the root, which a wrapper would move: such a schema is sent bare.
    const bare = JSON.stringify(own).includes('"$ref"');
    return { schema: bare ? own : outer(own), exact: false, restore: bare ? (answer) => answer : unwrap };
  }
}

function isObjectSchema(schema: JsonSchema): boolean {
  return (
    isJsonObject(schema) &&
    schema.anyOf === undefined &&
    schema.oneOf === undefined &&
    (schema.type === 'object' || schema.properties !== undefined)
  );
}
