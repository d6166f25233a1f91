import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { compileSchema } from '#main/engine/values/schema-validator.ts';
import { createModelClients, providerSource } from '#main/models/registry/model-clients.ts';
import { listModels } from '#main/models/registry/model-list.ts';
import { testModel } from '#main/models/registry/model-test.ts';
import { OllamaServer } from '#main/models/testing/ollama-server.ts';
import { realParts, skipWithout } from '#main/models/testing/real-models.ts';
import { slowness } from '#main/testing/slowness.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { FlowError } from '#shared/run/error.ts';
import type { Message } from '#shared/run/message.ts';

const name = 'smollm2';
let server: OllamaServer;

const say = (role: Message['role'], text: string): Message => ({ role, content: [{ type: 'text', text }] });
const source = () => ({
  ...{ folder: '/nowhere', trusted: true, environment: { OLLAMA_HOST: `127.0.0.1:${server.port}` } },
  settings: { providers: { here: { base_url: `http://127.0.0.1:${server.port}/v1` } } },
});
const urls = { ollama: () => `ollama://127.0.0.1:${server.port}/${name}`, genai: () => `genai://here/${name}` } as const;

async function complete(url: string, request: Partial<ModelRequest> = {}) {
  const client = await createModelClients(source())(url);
  return client.complete({
    ...{ messages: [say('user', 'Say hello.')], tools: [], turn: 0, signal: new AbortController().signal },
    params: { temperature: 0, max_tokens: 8 },
    ...request,
  });
}

describe.skipIf(skipWithout('ollama_server') || skipWithout('local_model'))('a real Ollama server', { timeout: 240_000 * slowness }, () => {
  beforeAll(async () => {
    server = await OllamaServer.start(realParts.ollama_server ?? '', name, realParts.local_model ?? '');
  }, 120_000 * slowness);
  afterAll(() => server?.stop());

  it.each(['ollama', 'genai'] as const)('answers in pieces and counts tokens, as %s://', async (provider) => {
    const pieces: string[] = [];
    const { message, usage, finish_reason } = await complete(urls[provider](), { onDelta: ({ text }) => pieces.push(text) });
    expect(message.content).toMatchObject([{ type: 'text' }]);
    expect(pieces.join('')).toBe((message.content[0] as { text: string }).text);
    expect(finish_reason).toMatch(/^(stop|length)$/);
    expect(usage.tokens_in).toBeGreaterThan(5);
    expect(usage.tokens_out).toBeGreaterThan(0);
  });

  it.each(['ollama', 'genai'] as const)('is held to a schema, as %s://', async (provider) => {
    const output_schema = {
      type: 'object',
      properties: { mood: { enum: ['good', 'bad'] }, certain: { type: 'boolean' } },
      required: ['mood', 'certain'],
      additionalProperties: false,
    };
    const { message } = await complete(urls[provider](), { output_schema, params: { temperature: 0, max_tokens: 60 } });
    const value: unknown = JSON.parse((message.content[0] as { text: string }).text);
    expect(compileSchema(output_schema)(value as never)).toBeNull();
  });

  it('says in its own words that its model takes no tools', async () => {
    const tools = [{ name: submitTool, description: 'Ends.', input_schema: { type: 'object', properties: { a: { type: 'string' } } } }];
    for (const url of [urls.ollama(), urls.genai()]) {
      const error = await complete(url, { tools }).catch((thrown: unknown) => thrown as FlowError);
      expect((error as FlowError).toJSON()).toMatchObject({
        code: 'INFERENCE_ENGINE_ERROR',
        details: { vendor_message: expect.stringContaining('tools') },
      });
    }
  });

  it('is cancelled in the middle of a sentence within a second', async () => {
    const stop = new AbortController();
    let stopped = 0;
    const onDelta = () => {
      stopped ||= performance.now();
      stop.abort(new Error('enough'));
    };
    const messages = [say('user', 'Count to one thousand.')];
    const ended = complete(urls.ollama(), { messages, params: { max_tokens: 500 }, signal: stop.signal, onDelta });
    expect(await ended.catch((error: unknown) => error)).toMatchObject({ message: 'enough' });
    expect(performance.now() - stopped).toBeLessThan(1000 * slowness);
  });

  it('lists its models, is tested, and says what it does not know', async () => {
    const { signal } = new AbortController();
    expect(await listModels('ollama', providerSource(source()), signal)).toEqual([
      { url: `${urls.ollama()}:latest`, name: `${name}:latest` },
    ]);
    expect(await listModels('here', providerSource(source()), signal)).toEqual([{ url: `${urls.genai()}:latest`, name: `${name}:latest` }]);
    expect(await testModel(urls.ollama(), createModelClients(source()), Date.now)).toMatchObject({ ok: true, code: null });
    const wrong = await testModel(`ollama://127.0.0.1:${server.port}/unknown`, createModelClients(source()), Date.now);
    expect(wrong).toMatchObject({ ok: false, code: 'INFERENCE_MODEL_UNAVAILABLE' });
    expect(wrong.message).toContain('was not found');
  });
});
