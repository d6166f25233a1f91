import type { ElicitRequestFormParams, PrimitiveSchemaDefinition } from '@modelcontextprotocol/sdk/types.js';
import type { ServedRun } from '#shared/contract/server/runs.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** A question of a run as a form of MCP, and how its answer becomes the payload. */
export interface Form {
  readonly params: ElicitRequestFormParams;
  /** Throws `SyntaxError` for JSON that the person mistyped. */
  readonly payloadOf: (content: JsonObject) => Json;
}

const primitives: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

/** Asks what waits. A form of MCP has fields of plain values only: other schemas are asked for as JSON in one field. */
export function formOf({ value, title, payload_schema: schema, reason, tool_id }: ServedRun['suspensions'][number]): Form {
  const what = reason === 'approval' ? `Approve the call of ${tool_id}?` : `${title ?? tool_id} asks:`;
  const message = `${what}\n${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`;
  const fields = plainFields(schema);
  if (fields) {
    const required = isJsonObject(schema ?? null) ? ((schema as JsonObject).required as string[] | undefined) : undefined;
    return {
      params: { mode: 'form', message, requestedSchema: { type: 'object', properties: fields, ...(required && { required }) } },
      payloadOf: (content) => content,
    };
  }
  const description = schema === undefined ? 'The answer as JSON.' : `The answer as JSON of this schema: ${JSON.stringify(schema)}`;
  return {
    params: {
      mode: 'form',
      message,
      requestedSchema: { type: 'object', properties: { answer: { type: 'string', title: 'Answer', description } }, required: ['answer'] },
    },
    payloadOf: ({ answer }) => JSON.parse(String(answer)) as Json,
  };
}

/** The fields of a schema that has plain values only; null for another. */
function plainFields(schema: Json | undefined): Record<string, PrimitiveSchemaDefinition> | null {
  if (!isJsonObject(schema ?? null)) return null;
  const { type, properties } = schema as JsonObject;
  if (type !== 'object' || !isJsonObject(properties ?? null)) return null;
  const entries = Object.entries(properties as JsonObject);
  if (!entries.every(([, field]) => isJsonObject(field) && primitives.has(field.type))) return null;
  return Object.fromEntries(entries.map(([name, field]) => [name, field as PrimitiveSchemaDefinition]));
}
