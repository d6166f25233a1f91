import type { JsonObject, JsonSchema } from '#shared/json.ts';

/** Schema of a tool's input: an object of these fields and no others; `required` lists those that must be there. */
export function inputSchema(properties: JsonObject, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}
