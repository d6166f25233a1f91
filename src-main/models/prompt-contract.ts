import type { JsonSchema } from '#shared/json.ts';

/** The instruction for models whose provider cannot enforce a schema. */
export function promptContract(schema: JsonSchema): string {
  return `Answer with a single JSON value that matches this JSON Schema and nothing else: no text before or after it, no code fence.\n${JSON.stringify(schema)}`;
}
