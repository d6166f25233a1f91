import type { BegunChat } from '#renderer/runs/conversations/chat-store.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { singleNodeFlow } from '#shared/flow/single-node-flow.ts';
import { literalTemplate, parseTemplate } from '#shared/flow/template.ts';
import { triedPath } from '#shared/flow/tried-path.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { usualNames } from './chat-input.ts';

/** An agent that a conversation can be begun with. */
export interface TalkingAgent {
  readonly node: OutlineNode;
  readonly title: string;
  /** Its flow's file and that flow's schemas. */
  readonly path: string;
  readonly schemas: JsonObject;
}

/** What an agent's input consists of, for a person who writes messages. */
export interface MessageInput {
  /** Field that gets the message; null if the whole input is the message. */
  readonly field: string | null;
  /** Schema of the other fields; null if there are none. */
  readonly rest: JsonObject | null;
}

/** The field of an agent's input that a message goes into: one with a usual name, else the first text that the prompt has, else the first text. */
export function messageInput({ node, schemas }: TalkingAgent): MessageInput {
  const prompt = isJsonObject(node.raw.agent) && typeof node.raw.agent.prompt === 'string' ? node.raw.agent.prompt : '';
  const prompted = parseTemplate(prompt).flatMap((part) => (typeof part === 'string' || part.length > 1 ? [] : part));
  const schema = schemas[node.from[0] ?? ''];
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : null;
  const names = properties ? Object.keys(properties).filter((name) => isText(properties[name])) : prompted;
  const field = usualNames.find((name) => names.includes(name)) ?? prompted.find((name) => names.includes(name)) ?? names[0] ?? null;
  if (!isJsonObject(schema) || !properties || field === null) return { field, rest: null };
  const others = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== field));
  if (Object.keys(others).length === 0) return { field, rest: null };
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => name !== field) : [];
  return { field, rest: { ...schema, properties: others, required } };
}

function isText(schema: Json | undefined): boolean {
  return isJsonObject(schema) && schema.type === 'string' && schema.enum === undefined;
}

/** The first name for a talk with an agent that no conversation has. */
export function freeKey(title: string, taken: readonly string[]): string {
  const base = `Talk with ${title}`.slice(0, 180);
  for (let count = 1; ; count += 1) {
    const key = count === 1 ? base : `${base} ${count}`;
    if (!taken.includes(key)) return key;
  }
}

/**
 * A conversation with an agent alone: a flow of this one node that keeps its messages under `key`, apart from those that the agent keeps in its own flow.
 * Tools that write ask before each call. The scope is `workspace`: each message is a run, and the next one must find what was said.
 */
export function begunChat({ node, title, path, schemas }: TalkingAgent, key: string, rest: JsonObject): Omit<BegunChat, 'field'> {
  const { session: _session, ...raw } = node.raw;
  const agent = isJsonObject(raw.agent) ? raw.agent : {};
  const conversation = { scope: 'workspace', key: literalTemplate(key) };
  const talking = { ...node, raw: { ...raw, agent: { ...agent, conversation } } };
  const flow_text = JSON.stringify(singleNodeFlow({ node: talking, path, schemas }));
  return { key, flow_path: triedPath(`${title} of ${path}`), flow_text, rest };
}

/** The input of a run with this message. */
export function inputOf({ field, rest }: Pick<BegunChat, 'field' | 'rest'>, text: string): Json {
  return field === null ? text : { ...rest, [field]: text };
}
