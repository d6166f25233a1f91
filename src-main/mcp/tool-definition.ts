import { createHash } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { checkSchema } from '#main/engine/values/schema-validator.ts';
import { escapeInvisible, removeInvisible } from '#shared/invisible-characters.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject, toJson } from '#shared/json.ts';
import { roughSchema } from '#shared/rough-schema.ts';

const jsonObject = roughSchema<JsonObject>(z.record(z.string(), z.json()));

/** A server's tool as shown, approved and described to models. */
export const mcpToolDefinitionSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  input_schema: jsonObject,
  output_schema: jsonObject.optional(),
  /** The server's hints about the tool's behaviour, trusted once the user has approved them. */
  annotations: z.object({
    read_only: z.boolean().optional(),
    destructive: z.boolean().optional(),
    idempotent: z.boolean().optional(),
    open_world: z.boolean().optional(),
  }),
});
export type McpToolDefinition = z.infer<typeof mcpToolDefinitionSchema>;

/** Names that a document can contain after `mcp:SERVER/`, except the wildcard. */
const acceptableName = /^[A-Za-z0-9_.:/-]{1,128}$/;
const longestNameShown = 100;
/** Maximum characters of a description, because each costs tokens. */
const longestDescription = 8_000;
/** Maximum characters of a schema's JSON. */
const longestSchema = 100_000;

/** Parses a listed tool; returns the fault if it cannot be used. */
export function readDefinition(listed: Tool): McpToolDefinition | { readonly fault: string } {
  if (!acceptableName.test(listed.name))
    return { fault: `${escapeInvisible(JSON.stringify(listed.name.slice(0, longestNameShown)))} cannot be a tool's name` };
  const input_schema = shownSchema(listed.inputSchema as JsonObject);
  const fault = faultOf(input_schema);
  if (fault) return { fault: `${listed.name}: its input schema cannot be used (${fault})` };
  const output_schema = listed.outputSchema && shownSchema(listed.outputSchema as JsonObject);
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = listed.annotations ?? {};
  const title = visible(listed.title ?? listed.annotations?.title);
  return {
    name: listed.name,
    ...(title !== undefined && { title }),
    description: (visible(listed.description) ?? title ?? listed.name).slice(0, longestDescription),
    input_schema,
    // Without a valid output schema, results are not validated.
    ...(output_schema && faultOf(output_schema) === null && { output_schema }),
    annotations: {
      ...(readOnlyHint !== undefined && { read_only: readOnlyHint }),
      ...(destructiveHint !== undefined && { destructive: destructiveHint }),
      ...(idempotentHint !== undefined && { idempotent: idempotentHint }),
      ...(openWorldHint !== undefined && { open_world: openWorldHint }),
    },
  };
}

/** A hash that is equal for equal definitions. */
export function fingerprint(definition: McpToolDefinition): string {
  return createHash('sha256')
    .update(canonicalJson(toJson(definition)))
    .digest('hex');
}

/** The differences between two definitions, one line for each part. */
export function changesOf(before: McpToolDefinition, now: McpToolDefinition): string[] {
  return (['title', 'description', 'input_schema', 'output_schema', 'annotations'] as const).flatMap((part) => {
    const [was, is] = [before[part], now[part]].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)));
    return was === is ? [] : [`${part} was ${was} and is now ${is}`];
  });
}

/** Removes the dialect: some servers use older drafts, but the keywords that tools use are the same in the current one. */
function shownSchema(schema: JsonObject): JsonObject {
  const { $schema: _dialect, ...rest } = schema;
  return visibleInside(rest) as JsonObject;
}

/** Removes invisible characters from titles and descriptions of a schema, at any depth. */
function visibleInside(value: Json, key = ''): Json {
  if (typeof value === 'string') return key === 'description' || key === 'title' ? (visible(value) as string) : value;
  if (Array.isArray(value)) return value.map((item) => visibleInside(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visibleInside(item, name)]));
}

/** Removes invisible characters: the model could read text that the approving user cannot see. */
function visible(text: string | undefined): string | undefined {
  return text === undefined ? undefined : removeInvisible(text);
}

function faultOf(schema: Json): string | null {
  if (!isJsonObject(schema)) return 'not an object';
  if (JSON.stringify(schema).length > longestSchema) return 'too large';
  return checkSchema(schema)?.message ?? null;
}
