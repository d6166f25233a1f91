import { checkSchema } from '#main/engine/values/schema-validator.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { type SchemaSource, TypedJsonSchema } from './state.ts';
import { convertZodSchema } from './zod-schema.ts';

/** The JSON Schema of a zod schema or of one that `jsonSchema` wraps. Throws `FlowError` `BuildError` with the message that `describe` makes of the reason. */
export function schemaFrom(source: SchemaSource, describe: (reason: string) => string): JsonSchema {
  const invalid = (reason: string) => new FlowError('BuildError', describe(reason));
  const schema = source instanceof TypedJsonSchema ? source.schema : zodSchema(source, invalid);
  const fault = checkSchema(schema as Json);
  if (fault) throw invalid(`is not a valid JSON Schema: ${fault.message}${fault.path && ` (at ${fault.path})`}`);
  return schema;
}

function zodSchema(source: SchemaSource, invalid: (reason: string) => FlowError): JsonSchema {
  if (typeof source !== 'object' || source === null || !('_zod' in source)) {
    throw invalid('is not a supported schema. Use zod 4 or jsonSchema({ … })');
  }
  const { schema, obstacles } = convertZodSchema(source);
  const [first] = obstacles;
  if (first) throw invalid(`is not supported: ${first.message}${first.path && ` (at ${first.path})`}`);
  return schema;
}
