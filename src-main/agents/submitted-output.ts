import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';

/** The schema of the input of `submit`. A tool's input must be an object, so other outputs are wrapped in one. */
export function submitSchema(output: JsonSchema): JsonSchema {
  if (isObjectSchema(output)) return output;
  return { type: 'object', properties: { output }, required: ['output'], additionalProperties: false };
}

/** Unwraps an output of this schema from the input of `submit`. */
export function unwrapped(schema: JsonSchema, input: Json): Json {
  if (isObjectSchema(schema) || !isJsonObject(input) || Object.keys(input).length !== 1) return input;
  return input.output ?? input;
}

function isObjectSchema(schema: JsonSchema): boolean {
  return typeof schema === 'object' && (schema.type === 'object' || schema.properties !== undefined);
}
