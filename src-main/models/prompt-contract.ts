import type { JsonSchema } from '#shared/json.ts';

/** What a model is told that cannot be held to a schema by its provider. */
export function promptContract(schema: JsonSchema): string {
  return `Answer with one JSON value that fits this JSON Schema, and with nothing else: no words before or after it, no code fence.\n${JSON.stringify(schema)}`;
}
