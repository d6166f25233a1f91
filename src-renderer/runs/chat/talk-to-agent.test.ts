import { expect, test } from 'vitest';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { isTriedPath } from '#shared/flow/tried-path.ts';
import type { Json } from '#shared/json.ts';
import { begunChat, freeKey, inputOf, messageInput, type TalkingAgent } from './talk-to-agent.ts';

function agentOf(input: Json, agent: object = {}): TalkingAgent {
  const document = {
    pravah: 1,
    name: 'Shop',
    input: 'A',
    output: 'B',
    schemas: { A: input, B: {} },
    nodes: [{ kind: 'agent', from: 'A', to: 'B', agent: { model: 'script://a.json', mode: 'chat', prompt: '{body}', ...agent } }],
  };
  const { outline } = parseFlow(JSON.stringify(document), 'shop.flow.json');
  const [node] = outline.nodes ?? [];
  if (!node) throw new Error('The document has no node.');
  return { node, title: 'Clerk', path: 'shop.flow.json', schemas: outline.schemas ?? {} };
}

const text = { type: 'string' };

test.each<[string, Json, string | null, string[] | null]>([
  ['the field with a usual name', { type: 'object', properties: { body: text, question: text } }, 'question', ['body']],
  ['the field of the prompt', { type: 'object', properties: { id: text, body: text } }, 'body', ['id']],
  ['the first text', { type: 'object', properties: { n: { type: 'number' }, a: text } }, 'a', ['n']],
  ['the field of the prompt where the schema allows anything', {}, 'body', null],
  ['the only field', { type: 'object', properties: { body: text } }, 'body', null],
])('a message goes into %s', (_title, schema, field, others) => {
  const input = messageInput(agentOf(schema));
  expect(input.field).toBe(field);
  expect(input.rest && Object.keys(input.rest.properties as object)).toEqual(others);
});

test('a message is the whole input of an agent whose prompt has no field', () => {
  expect(messageInput(agentOf(text, { prompt: undefined })).field).toBeNull();
  expect(inputOf({ field: null, rest: {} }, 'Hi')).toBe('Hi');
});

test('a talk with an agent alone keeps its messages under its own key, and its flow has no problems', () => {
  const agent = agentOf({ type: 'object' }, { conversation: { scope: 'workspace', key: 'customer/{id}' } });
  const chat = begunChat(agent, 'a {b}', { id: 7 });
  expect(isTriedPath(chat.flow_path)).toBe(true);
  const { problems, outline } = parseFlow(chat.flow_text, chat.flow_path);
  expect(problems).toEqual([]);
  expect(outline.nodes?.[0]?.raw.agent).toMatchObject({ conversation: { scope: 'workspace', key: 'a {{b}}' } });
  expect(inputOf({ ...chat, field: 'text' }, 'Hi')).toEqual({ id: 7, text: 'Hi' });
});

test('a new talk gets the first name that no conversation has', () => {
  expect(freeKey('Clerk', [])).toBe('Talk with Clerk');
  expect(freeKey('Clerk', ['Talk with Clerk', 'Talk with Clerk 2'])).toBe('Talk with Clerk 3');
});
