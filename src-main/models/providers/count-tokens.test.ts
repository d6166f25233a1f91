import { LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { mockOptions, VendorServer } from '#main/models/testing/vendor-server.ts';
import { testedVendors, testKey } from '#main/models/testing/vendors.ts';
import type { JsonObject } from '#shared/json.ts';
import type { Message } from '#shared/run/message.ts';

let server: VendorServer;
beforeAll(async () => {
  server = await VendorServer.start(new LLMock(mockOptions));
});
afterEach(() => server.reset());
afterAll(() => server.stop());

const say = (role: Message['role'], text: string): Message => ({ role, content: [{ type: 'text', text }] });
const input_schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ name: 'weather', description: 'Tells the weather.', input_schema }];
const messages = [say('system', 'Be brief.'), say('user', 'Hi'), say('assistant', 'Hello'), say('user', 'Rain?')];

async function clientOf(provider: string) {
  const vendor = testedVendors.find(({ name }) => name === provider);
  const settings = { providers: { house: { base_url: `${server.url}/v1` } } };
  return createModelClients({ folder: '/nowhere', trusted: true, settings, environment: vendor?.environment?.(server) ?? {} })(
    vendor?.url(server) ?? '',
  );
}

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages,
  tools,
  params: { max_tokens: 5, temperature: 0.1 },
  turn: 0,
  signal: new AbortController().signal,
  ...more,
});

/** By provider: where it counts, its answer for 321 tokens, and what has to be in the request. */
const calls: Readonly<Record<string, readonly [path: string, answer: JsonObject, sent: JsonObject]>> = {
  openai: [
    '/v1/responses/input_tokens',
    { object: 'response.input_tokens', input_tokens: 321 },
    { model: 'gpt-4o', instructions: 'Be brief.', tools: [expect.objectContaining({ name: 'weather' })] as never },
  ],
  anthropic: [
    '/v1/messages/count_tokens',
    { input_tokens: 321 },
    { model: 'claude-sonnet-5-5', system: 'Be brief.', tools: [expect.objectContaining({ name: 'weather' })] as never },
  ],
  gemini: [
    '/v1beta/models/gemini-2.5-flash:countTokens',
    { totalTokens: 321 },
    {
      generateContentRequest: {
        model: 'models/gemini-2.5-flash',
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [{ role: 'user' }, { role: 'model' }, { role: 'user', parts: [{ text: 'Rain?' }] }],
        tools: [{ functionDeclarations: [{ name: 'weather' }] }],
      },
    },
  ],
};

test.each(Object.keys(calls))('%s counts the request that it would be sent, and answers nothing', async (provider) => {
  const [path, answer, sent] = calls[provider] as (typeof calls)[string];
  server.answers.set(path, answer);
  const client = await clientOf(provider);
  expect(await client.countTokens?.(request())).toBe(321);
  expect(server.requests).toHaveLength(1);
  const [seen] = server.requests;
  expect(seen?.path.split('?')[0]).toBe(path);
  expect(seen?.body).toMatchObject(sent);
  for (const key of ['stream', 'max_tokens', 'max_output_tokens', 'temperature']) expect(seen?.body).not.toHaveProperty(key);
  expect(JSON.stringify(seen?.body)).not.toContain(testKey);
  expect(JSON.stringify(seen?.headers)).toContain(testKey);
});

test.each(Object.keys(calls))('%s: a failed count is a failure of the model', async (provider) => {
  const [path] = calls[provider] as (typeof calls)[string];
  server.answers.set(path, { nothing: true });
  const client = await clientOf(provider);
  await expect(client.countTokens?.(request())).rejects.toMatchObject({ variant: 'AgentError', code: 'INFERENCE_MALFORMED_RESPONSE' });
});

test('services of genai:// and Ollama have no counting call', async () => {
  for (const provider of ['genai', 'ollama']) expect(await clientOf(provider)).not.toHaveProperty('countTokens');
});
