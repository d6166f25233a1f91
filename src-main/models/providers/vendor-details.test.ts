import { type Fixture, LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { mockOptions, VendorServer } from '#main/models/testing/vendor-server.ts';
import { testedVendors } from '#main/models/testing/vendors.ts';
import type { JsonSchema } from '#shared/json.ts';
import type { Message } from '#shared/run/message.ts';

let server: VendorServer;
beforeAll(async () => {
  server = await VendorServer.start(new LLMock(mockOptions));
});
afterEach(() => server.reset());
afterAll(() => server.stop());

const say = (role: Message['role'], text: string): Message => ({ role, content: [{ type: 'text', text }] });

async function complete(url: string, request: Partial<ModelRequest> = {}) {
  const environment = Object.assign({}, ...testedVendors.map((vendor) => vendor.environment?.(server)));
  const settings = { providers: { house: { base_url: `${server.url}/v1` } } };
  const client = await createModelClients({ folder: '/nowhere', trusted: true, settings, environment })(url);
  return client.complete({
    messages: [say('user', 'Hello?')],
    tools: [],
    params: {},
    turn: 0,
    signal: new AbortController().signal,
    ...request,
  });
}

function answerWith(response: Fixture['response'], match: Fixture['match'] = { predicate: () => true }): void {
  server.mock.addFixture({ match, response });
}

const sent = () => server.requests.at(-1)?.body as Record<string, never>;
const schema: JsonSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const recursive: JsonSchema = { type: 'object', properties: { child: { $ref: '#' } } };
const tool = { name: 'grow', description: 'Grows.', input_schema: recursive };
const picture: Message = {
  role: 'user',
  content: [
    { type: 'text', text: 'What is it?' },
    { type: 'image', media_type: 'image/png', data: 'aGk=' },
  ],
};

describe('anthropic://', () => {
  it('sends the signed thoughts of a turn back as they came', async () => {
    answerWith({ toolCalls: [{ name: 'grow', arguments: '{}', id: 'toolu_1' }], reasoning: 'Let me think.', reasoningSignature: 'signed' });
    const { message } = await complete('anthropic://claude-sonnet-5-5', { tools: [tool] });
    expect(message.content[0]).toEqual({ type: 'reasoning', text: 'Let me think.' });
    const result: Message = {
      role: 'tool',
      content: [{ type: 'tool_result', tool_call_id: 'toolu_1', tool: 'grow', result: 1, is_error: true }],
    };
    await complete('anthropic://claude-sonnet-5-5', {
      tools: [tool],
      messages: [say('user', 'Hello?'), message, result, say('user', 'On.')],
    });
    expect(sent().messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hello?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Let me think.', signature: 'signed' },
          { type: 'tool_use', id: 'toolu_1', name: 'grow', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: '1', is_error: true },
          { type: 'text', text: 'On.' },
        ],
      },
    ]);
  });

  it('describes the schema in the prompt for a model without structured output, and for a recursive schema', async () => {
    answerWith({ content: '{"a":"b"}' });
    await complete('anthropic://claude-3-5-haiku-20241022', { output_schema: schema });
    expect(sent()).not.toHaveProperty('output_config');
    expect(sent().system).toContain('matches this JSON Schema');
    await complete('anthropic://claude-sonnet-5-5', { output_schema: recursive });
    expect(sent()).not.toHaveProperty('output_config');
    await complete('anthropic://claude-sonnet-5-5', { output_schema: schema });
    expect(sent()).toMatchObject({ output_config: { format: { type: 'json_schema' } } });
    expect(sent()).not.toHaveProperty('system');
  });
});

describe('gemini://', () => {
  it('refuses a schema that contains itself before anything is sent', async () => {
    await expect(complete('gemini://gemini-2.5-flash', { output_schema: recursive })).rejects.toThrow(/contains itself/);
    await expect(complete('gemini://gemini-2.5-flash', { tools: [tool] })).rejects.toThrow(/the input of grow/);
    expect(server.requests).toEqual([]);
  });

  it('gives calls no ids of its own, and sends thought signatures back with their parts', async () => {
    answerWith({ content: 'Done.' });
    const call = { type: 'tool_call', tool_call_id: 'call_1_1', tool: 'grow', input: {} } as const;
    const turn: Message = { role: 'assistant', content: [{ type: 'text', text: 'So.' }, call], vendor: { gemini: { '1': 'signed' } } };
    const result: Message = {
      role: 'tool',
      content: [{ type: 'tool_result', tool_call_id: 'call_1_1', tool: 'grow', result: [1], is_error: false }],
    };
    await complete('gemini://gemini-2.5-flash', { messages: [say('user', 'Hello?'), turn, result] });
    expect((sent().contents as unknown as unknown[]).slice(1)).toEqual([
      { role: 'model', parts: [{ text: 'So.' }, { functionCall: { id: 'call_1_1', name: 'grow', args: {} }, thoughtSignature: 'signed' }] },
      { role: 'user', parts: [{ functionResponse: { id: 'call_1_1', name: 'grow', response: { output: [1] } } }] },
    ]);
  });
});

describe('openai://', () => {
  it('sends a tool that strict mode cannot say as it is, and asks thinking models for their thoughts', async () => {
    answerWith({ content: 'Done.' });
    await complete('openai://gpt-4o', { tools: [tool] });
    expect(sent()).toMatchObject({ tools: [{ strict: false, parameters: recursive }], store: false });
    expect(sent()).not.toHaveProperty('include');
    await complete('openai://o4-mini', { tools: [tool] });
    expect(sent()).toMatchObject({ include: ['reasoning.encrypted_content'] });
  });
});

describe.each([
  ['genai://house/m', 'response_format json_schema is not supported'],
  ['ollama', 'failed to load grammar for format'],
])('%s', (url, refusal) => {
  it('falls back to JSON mode and the schema in words where the server cannot take the schema', async () => {
    answerWith({ error: { message: refusal }, status: 400 }, { sequenceIndex: 0 });
    answerWith({ content: '{"a":"b"}' });
    const target = url === 'ollama' ? `ollama://127.0.0.1:${server.port}/m` : url;
    const { message } = await complete(target, { output_schema: schema });
    expect(message.content).toEqual([{ type: 'text', text: '{"a":"b"}' }]);
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(sent())).toContain('matches this JSON Schema');
    expect(sent()).toMatchObject(url === 'ollama' ? { format: 'json' } : { response_format: { type: 'json_object' } });
  });
});

it.each([
  ['openai://gpt-4o', '"image_url":"data:image/png;base64,aGk="'],
  ['anthropic://claude-sonnet-5-5', '"source":{"type":"base64","media_type":"image/png","data":"aGk="}'],
  ['gemini://gemini-2.5-flash', '"inlineData":{"mimeType":"image/png","data":"aGk="}'],
  ['genai://house/m', '"image_url":{"url":"data:image/png;base64,aGk="}'],
  ['ollama', '"images":["aGk="]'],
])('%s is shown an image', async (url, expected) => {
  answerWith({ content: 'A cat.' });
  await complete(url === 'ollama' ? `ollama://127.0.0.1:${server.port}/m` : url, { messages: [picture] });
  expect(JSON.stringify(sent())).toContain(expected);
});

it.each([
  [
    'openai://gpt-4o',
    '"output":[{"type":"input_text","text":"It is [image 1]"},{"type":"input_image","image_url":"data:image/png;base64,aGk="}]',
  ],
  [
    'anthropic://claude-sonnet-5-5',
    '"content":[{"type":"text","text":"It is [image 1]"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]',
  ],
  ['gemini://gemini-2.5-flash', '"response":{"output":"It is [image 1]"}'],
  ['genai://house/m', '"content":"It is [image 1]"'],
  ['ollama', '"content":"It is [image 1]"'],
])('%s gets an image of a tool’s result as an image or not at all, and never as text', async (url, expected) => {
  answerWith({ content: 'A cat.' });
  const text = { type: 'text', text: 'It is ' };
  const image = { type: 'image', media_type: 'image/png', data: 'aGk=' };
  const messages: Message[] = [
    say('user', 'Look.'),
    { role: 'assistant', content: [{ type: 'tool_call', tool_call_id: 'call_1', tool: 'grow', input: {} }] },
    { role: 'tool', content: [{ type: 'tool_result', tool_call_id: 'call_1', tool: 'grow', result: [text, image], is_error: false }] },
  ];
  await complete(url === 'ollama' ? `ollama://127.0.0.1:${server.port}/m` : url, {
    messages,
    tools: [{ ...tool, input_schema: { type: 'object' } }],
  });
  expect(JSON.stringify(sent())).toContain(expected.replaceAll('It is [', 'It is \\n['));
});

const edited = 'The user edited the input of this call before it ran. It ran with: {"n":42}\n\n';
it.each([
  ['openai://gpt-4o', { type: 'function_call_output', call_id: 'call_1', output: `${edited}{"ok":1}` }],
  ['anthropic://claude-sonnet-5-5', { type: 'tool_result', tool_use_id: 'call_1', content: `${edited}{"ok":1}` }],
  ['gemini://gemini-2.5-flash', { functionResponse: { id: 'call_1', name: 'grow', response: { output: `${edited}{"ok":1}` } } }],
  ['genai://house/m', { role: 'tool', tool_call_id: 'call_1', content: `${edited}{"ok":1}` }],
  ['ollama', { role: 'tool', tool_name: 'grow', content: `${edited}{"ok":1}` }],
])('%s gets its own call, and in front of the result what a person made of it', async (url, expected) => {
  answerWith({ content: 'Done.' });
  const result = { tool: 'grow', result: { ok: 1 }, is_error: false, ran_with: { n: 42 }, edited_by: 'person' } as const;
  await complete(url === 'ollama' ? `ollama://127.0.0.1:${server.port}/m` : url, {
    messages: [
      say('user', 'Grow.'),
      { role: 'assistant', content: [{ type: 'tool_call', tool_call_id: 'call_1', tool: 'grow', input: { n: 1 } }] },
      { role: 'tool', content: [{ type: 'tool_result', tool_call_id: 'call_1', ...result }] },
    ],
    tools: [{ ...tool, input_schema: { type: 'object' } }],
  });
  const body = JSON.stringify(sent());
  expect(body).toContain(JSON.stringify(expected).slice(1, -1));
  expect(body).toMatch(/\{\\?"n\\?":1\}/);
});

it('sends the author’s parameters under each vendor’s names, and no others', async () => {
  answerWith({ content: 'Done.' });
  const params = { temperature: 0.5, max_tokens: 9, top_p: 0.9, options: { seed: 4 } };
  await complete('openai://gpt-4o', { params });
  expect(sent()).toMatchObject({ temperature: 0.5, max_output_tokens: 9, top_p: 0.9, seed: 4 });
  await complete('gemini://gemini-2.5-flash', { params });
  expect(sent()).toMatchObject({ generationConfig: { temperature: 0.5, maxOutputTokens: 9, topP: 0.9, seed: 4 } });
  await complete(`ollama://127.0.0.1:${server.port}/m`, { params });
  expect(sent()).toMatchObject({ options: { temperature: 0.5, num_predict: 9, top_p: 0.9, seed: 4 } });
  await complete(`ollama://127.0.0.1:${server.port}/m`, { params: { options: { think: true } } });
  expect(sent()).toMatchObject({ think: true });
  expect(sent()).not.toHaveProperty('options');
  await complete(`ollama://127.0.0.1:${server.port}/m`);
  expect(sent()).toMatchObject({ think: false });
  expect(sent()).not.toHaveProperty('options');
});
