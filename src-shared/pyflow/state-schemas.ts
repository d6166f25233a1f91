import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import type { CompiledNode } from './compiler.ts';
import type { Written } from './keys-written.ts';

/** The keys that a session begins with. */
export const injectedKeys = ['current_date', 'current_datetime', 'timezone'] as const;

/** With more keys than this in a flow, the states have one schema without them: compiling one for each state would take longer than the run. */
const mostKeys = 50;

/** How many writers of a key its schema names. A schema for each of 1,000 writers would name half a million. */
const mostWriters = 8;

interface SchemaOptions {
  /** States of the flow, with what was written before each. */
  readonly written: ReadonlyMap<string, Written>;
  readonly start: string;
  readonly result: string;
  /** False for a flow that an agent calls: the caller's state may have any type at any key. */
  readonly typed: boolean;
}

/** The schema of each state of a compiled flow. */
export function stateSchemas(nodes: readonly CompiledNode[], options: SchemaOptions): Record<string, JsonSchema> {
  const { written, start, result } = options;
  const all = new Set(nodes.flatMap(({ writes }) => (writes ? [writes.key] : [])));
  const none: Written = new Map();
  const schemas: Record<string, JsonSchema> = { [start]: startSchema(nodes, options) };
  const parts = new Set(nodes.flatMap(({ node }) => (node.kind === 'join' && isPart(node.session) ? [node.to] : [])));
  for (const [state, keys] of written) {
    if (state === start || state === result) continue;
    schemas[state] = parts.has(state)
      ? { type: 'object', properties: { parts: { type: 'array' } }, required: ['parts'] }
      : sessionSchema(all.size > mostKeys ? none : keys, options.typed);
  }
  schemas[result] = {
    type: 'object',
    properties: { content: { type: 'string' }, author: { type: 'string' }, state: { type: 'object' }, floats: { type: 'array' } },
    required: ['content', 'author', 'state'],
  };
  return schemas;
}

function isPart(session: object | undefined): boolean {
  return session !== undefined && 'merge' in session && session.merge === 'part';
}

/** The message, and a state to begin with. Keys that the flow itself writes must have the types that it gives them. */
function startSchema(nodes: readonly CompiledNode[], { typed }: SchemaOptions): JsonSchema {
  const writers = new Map<string, Map<string, JsonSchema>>();
  for (const { writes } of typed ? nodes : []) {
    if (!writes) continue;
    const agents = writers.get(writes.key) ?? new Map<string, JsonSchema>();
    writers.set(writes.key, agents.set(writes.agent, writes.schema));
  }
  const properties = Object.fromEntries(
    [...writers].map(([key, agents]) => [key, typeOf(agents)] as const).filter(([, schema]) => schema !== true),
  ) as JsonObject;
  const state = { type: 'object', ...(Object.keys(properties).length > 0 && { properties }) };
  const floats = { type: 'array', items: { type: 'string' } };
  const events = { description: 'What was said in earlier runs of the session.', type: 'array' };
  return { type: 'object', properties: { message: { type: 'string' }, state, floats, events }, additionalProperties: false };
}

function sessionSchema(keys: Written, typed: boolean): JsonSchema {
  const properties: Record<string, Json> = {};
  for (const key of injectedKeys) properties[key] = { type: 'string' };
  for (const [key, agents] of keys) {
    const type = typed ? typeOf(agents) : true;
    const injected = (injectedKeys as readonly string[]).includes(key);
    properties[key] = { description: writersOf(agents), ...(isJsonObject(type) && !injected && type) };
  }
  return {
    type: 'object',
    properties: {
      message: { type: 'string' },
      state: { type: 'object', properties, required: [...injectedKeys] },
      events: { type: 'array' },
    },
    required: ['message', 'state', 'events'],
  };
}

/** Whom the inspector names beside a key. */
function writersOf(agents: ReadonlyMap<string, JsonSchema>): string {
  const names = [...agents.keys()];
  const shown = names.length > mostWriters ? [...names.slice(0, mostWriters), `${names.length - mostWriters} more`] : names;
  return `Written by ${shown.join(', ')}.`;
}

/** The schema of what any of several agents may have written; `true` for anything. */
function typeOf(agents: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const types = new Set<Json>();
  for (const schema of agents.values()) {
    if (!isJsonObject(schema) || !Array.isArray(schema.type)) return true;
    for (const type of schema.type) types.add(type as Json);
  }
  return types.size > 0 ? { type: [...types] } : true;
}
