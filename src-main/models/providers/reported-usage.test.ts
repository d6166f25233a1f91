import { LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { mockOptions, VendorServer } from '#main/models/testing/vendor-server.ts';
import { testedVendors } from '#main/models/testing/vendors.ts';
import type { Json } from '#shared/json.ts';

let server: VendorServer;
beforeAll(async () => {
  server = await VendorServer.start(new LLMock(mockOptions));
});
afterEach(() => server.answers.clear());
afterAll(() => server.stop());

const stream = (...events: readonly Json[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const named = (...events: readonly (Json & { readonly type: string })[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

/** By provider: where it is asked, and a stream of one letter with 100 tokens in, 30 of them cached, and 20 out, 5 of them reasoning. */
const reports: Readonly<Record<string, readonly [path: string, answer: string, usage: Json]>> = {
  openai: [
    '/v1/responses',
    named(
      { type: 'response.output_text.delta', delta: 'x', item_id: 'm', output_index: 0, content_index: 0 },
      {
        type: 'response.completed',
        response: {
          usage: {
            input_tokens: 100,
            input_tokens_details: { cached_tokens: 30 },
            output_tokens: 20,
            output_tokens_details: { reasoning_tokens: 5 },
          },
        },
      },
    ),
    { tokens_in: 100, tokens_out: 20, tokens_cached: 30, tokens_reasoning: 5 },
  ],
  genai: [
    '/v1/chat/completions',
    stream(
      { choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] },
      {
        choices: [],
        usage: {
          prompt_tokens: 100,
          completion_tokens: 20,
          prompt_tokens_details: { cached_tokens: 30 },
          completion_tokens_details: { reasoning_tokens: 5 },
        },
      },
    ),
    { tokens_in: 100, tokens_out: 20, tokens_cached: 30, tokens_reasoning: 5 },
  ],
  anthropic: [
    '/v1/messages',
    named(
      {
        type: 'message_start',
        message: {
          id: 'm',
          role: 'assistant',
          content: [],
          usage: { input_tokens: 60, cache_creation_input_tokens: 10, cache_read_input_tokens: 30, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'x' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } },
      { type: 'message_stop' },
    ),
    { tokens_in: 100, tokens_out: 20, tokens_cached: 30 },
  ],
  gemini: [
    '/v1beta/models/gemini-2.5-flash:streamGenerateContent',
    stream({
      candidates: [{ content: { role: 'model', parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 100, cachedContentTokenCount: 30, candidatesTokenCount: 15, thoughtsTokenCount: 5 },
    }),
    { tokens_in: 100, tokens_out: 20, tokens_cached: 30, tokens_reasoning: 5 },
  ],
};

async function complete(provider: string) {
  const vendor = testedVendors.find(({ name }) => name === provider);
  const settings = { providers: { house: { base_url: `${server.url}/v1` } } };
  const environment = vendor?.environment?.(server) ?? {};
  const client = await createModelClients({ folder: '/nowhere', trusted: true, settings, environment })(vendor?.url(server) ?? '');
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
  return client.complete({ messages, tools: [], params: {}, turn: 0, signal: new AbortController().signal });
}

test.each(Object.keys(reports))('%s: cached and reasoning tokens are those that the vendor reports', async (provider) => {
  const [path, answer, usage] = reports[provider] as (typeof reports)[string];
  server.answers.set(path, answer);
  expect((await complete(provider)).usage).toEqual(usage);
});

test('parts of the usage that a vendor does not report are absent, not 0', async () => {
  const [path] = reports.openai as (typeof reports)[string];
  const usage = { input_tokens: 1, output_tokens: 1 };
  const delta = { type: 'response.output_text.delta', delta: 'x', item_id: 'm', output_index: 0, content_index: 0 };
  server.answers.set(path, named(delta, { type: 'response.completed', response: { usage } }));
  expect((await complete('openai')).usage).toEqual({ tokens_in: 1, tokens_out: 1 });
});
