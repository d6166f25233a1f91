import type { JsonObject, JsonSchema } from '#shared/json.ts';

/** Schema of a tool's input: an object with exactly these fields, of which `required` are mandatory. */
export function inputSchema(properties: JsonObject, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}
