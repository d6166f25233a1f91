import { createHash } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { checkSchema } from '#main/runtime/schema-validator.ts';
import { escapeInvisible, removeInvisible } from '#shared/invisible-characters.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

const jsonObject = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;

/** A server's tool as it is shown, approved and told to models: all that the server says of it. */
export const mcpToolDefinitionSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  input_schema: jsonObject,
  output_schema: jsonObject.optional(),
  /** What the server says of the tool's behaviour; hints, believed once somebody has approved them. */
  annotations: z.object({
    read_only: z.boolean().optional(),
    destructive: z.boolean().optional(),
    idempotent: z.boolean().optional(),
    open_world: z.boolean().optional(),
  }),
});
export type McpToolDefinition = z.infer<typeof mcpToolDefinitionSchema>;

/** Names that a document can hold behind `mcp:SERVER/` and that are not the wildcard. */
const acceptableName = /^[A-Za-z0-9_.:/-]{1,128}$/;
const LONGEST_NAME_SHOWN = 100;
/** Characters of a description that are kept; models pay for each. */
const LONGEST_DESCRIPTION = 8_000;
/** Characters of a schema's text. */
const LONGEST_SCHEMA = 100_000;

/** What a server lists, as a definition; or why it cannot be used. */
export function readDefinition(listed: Tool): McpToolDefinition | { readonly fault: string } {
  if (!acceptableName.test(listed.name))
    return { fault: `${escapeInvisible(JSON.stringify(listed.name.slice(0, LONGEST_NAME_SHOWN)))} cannot be a tool's name` };
  const input_schema = shownSchema(listed.inputSchema as unknown as JsonObject);
  const fault = faultOf(input_schema);
  if (fault) return { fault: `${listed.name}: its input schema cannot be used (${fault})` };
  const output_schema = listed.outputSchema && shownSchema(listed.outputSchema as unknown as JsonObject);
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = listed.annotations ?? {};
  const title = visible(listed.title ?? listed.annotations?.title);
  return {
    name: listed.name,
    ...(title !== undefined && { title }),
    description: (visible(listed.description) ?? title ?? listed.name).slice(0, LONGEST_DESCRIPTION),
    input_schema,
    // Without a usable one the result is taken as it comes.
    ...(output_schema && faultOf(output_schema) === null && { output_schema }),
    annotations: {
      ...(readOnlyHint !== undefined && { read_only: readOnlyHint }),
      ...(destructiveHint !== undefined && { destructive: destructiveHint }),
      ...(idempotentHint !== undefined && { idempotent: idempotentHint }),
      ...(openWorldHint !== undefined && { open_world: openWorldHint }),
    },
  };
}

/** Equal for definitions that say the same. */
export function fingerprint(definition: McpToolDefinition): string {
  return createHash('sha256')
    .update(canonicalJson(definition as unknown as Json))
    .digest('hex');
}

/** What a tool says of itself now and did not say before: a line for each part that differs. */
export function changesOf(before: McpToolDefinition, now: McpToolDefinition): string[] {
  return (['title', 'description', 'input_schema', 'output_schema', 'annotations'] as const).flatMap((part) => {
    const [was, is] = [before[part], now[part]].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)));
    return was === is ? [] : [`${part} was ${was} and is ${is}`];
  });
}

/** Servers write schemas of older drafts; what tools use of them means the same in the current one. */
function shownSchema(schema: JsonObject): JsonObject {
  const { $schema: _dialect, ...rest } = schema;
  return visibleInside(rest) as JsonObject;
}

/** Words that a schema addresses to its reader, at any depth. */
function visibleInside(value: Json, key = ''): Json {
  if (typeof value === 'string') return key === 'description' || key === 'title' ? (visible(value) as string) : value;
  if (Array.isArray(value)) return value.map((item) => visibleInside(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visibleInside(item, name)]));
}

/** A text without characters that nobody sees: a model would read what the person who approves it cannot. */
function visible(text: string | undefined): string | undefined {
  return text === undefined ? undefined : removeInvisible(text);
}

function faultOf(schema: Json): string | null {
  if (!isJsonObject(schema)) return 'it is no object';
  if (JSON.stringify(schema).length > LONGEST_SCHEMA) return 'it is too large';
  return checkSchema(schema)?.message ?? null;
}
