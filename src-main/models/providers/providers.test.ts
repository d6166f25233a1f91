import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fixture, LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { mockOptions, VendorServer } from '#main/models/testing/vendor-server.ts';
import { type TestedVendor, testedVendors, testKey } from '#main/models/testing/vendors.ts';
import type { FlowError } from '#shared/run/error.ts';
import type { Message } from '#shared/run/message.ts';

let server: VendorServer;
let folder: string;
const pauses: number[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pravah-models-'));
  writeFileSync(join(folder, '.env'), `HOUSE_KEY=${testKey}\n`);
  server = await VendorServer.start(new LLMock(mockOptions));
});
afterEach(() => {
  server.reset();
  pauses.length = 0;
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const say = (role: Message['role'], text: string): Message => ({ role, content: [{ type: 'text', text }] });
/** In the words of each vendor. Of Ollama's counts the server has none. */
const usage = {
  ...{ input_tokens: 11, output_tokens: 7 },
  ...{ prompt_tokens: 11, completion_tokens: 7 },
  ...{ promptTokenCount: 11, candidatesTokenCount: 7 },
};
const opening = [say('system', 'Be brief.'), say('user', 'Hello?')];

function complete(vendor: TestedVendor, request: Partial<ModelRequest> = {}): Promise<ModelResponse> {
  const clients = createModelClients({
    folder,
    trusted: true,
    settings: { providers: { house: { base_url: `${server.url}/v1`, key: 'HOUSE_KEY' } } },
    environment: vendor.environment?.(server) ?? {},
    timing: {
      sleep: async (milliseconds) => pauses.push(milliseconds),
      random: () => 0.5,
      now: () => 0,
    },
  });
  const full = { messages: opening, tools: [], params: {}, turn: 0, signal: new AbortController().signal, ...request };
  return Promise.resolve(clients(vendor.url(server))).then((client) => client.complete(full));
}

async function failure(vendor: TestedVendor, request: Partial<ModelRequest> = {}) {
  const error = await complete(vendor, request).then(
    () => undefined,
    (thrown: unknown) => thrown as FlowError,
  );
  if (!error) throw new Error('The call did not fail.');
  const transferred = error.toJSON();
  expect(JSON.stringify(transferred)).not.toContain(testKey);
  return transferred;
}

function answerWith(response: Fixture['response'], more: Partial<Fixture> = {}): void {
  server.mock.addFixture({ match: { predicate: () => true }, response, ...more });
}

const lookUp = {
  name: './tools/look up.ts',
  description: 'Looks a word up.',
  input_schema: {
    type: 'object',
    properties: { word: { type: 'string', minLength: 1 }, language: { type: 'string' } },
    required: ['word'],
    additionalProperties: false,
  },
};

const verdict = {
  $defs: { Reason: { type: 'object', properties: { text: { type: 'string' }, weight: { type: 'number' } }, required: ['text'] } },
  type: 'object',
  properties: {
    verdict: { enum: ['good', 'bad'] },
    reasons: { type: 'array', items: { $ref: '#/$defs/Reason' } },
    note: { type: 'string' },
  },
  required: ['verdict', 'reasons'],
};

describe.each(testedVendors)('a model of $name', (vendor) => {
  afterEach(() => {
    for (const { body } of server.requests) expect(vendor.rules(body)).toEqual([]);
  });

  it('answers in pieces as they come, and counts tokens', async () => {
    const text = 'The quick brown fox jumps over the lazy dog.';
    answerWith({ content: text, usage });
    const pieces: string[] = [];
    const answer = await complete(vendor, { onDelta: (delta) => pieces.push(delta.text), params: { temperature: 0, max_tokens: 100 } });
    expect(answer).toMatchObject({ message: say('assistant', text), finish_reason: 'stop' });
    expect(pieces.join('')).toBe(text);
    expect(pieces.length).toBeGreaterThan(2);
    if (vendor.name !== 'ollama') expect(answer.usage).toEqual({ tokens_in: 11, tokens_out: 7 });
  });

  it('is held to a schema, and gives what fits it', async () => {
    const wanted = { verdict: 'good', reasons: [{ text: 'short', weight: 2 }, { text: 'clear' }] };
    const sent = vendor.strict ? { verdict: 'good', reasons: [wanted.reasons[0], { text: 'clear', weight: null }], note: null } : wanted;
    answerWith({ content: JSON.stringify(sent) });
    const { message } = await complete(vendor, { output_schema: verdict });
    expect(message.content).toHaveLength(1);
    expect(JSON.parse((message.content[0] as { text: string }).text)).toEqual(wanted);
    expect(JSON.stringify(server.requests[0]?.body)).toContain('"reasons"');
  });

  it('is told that it must or must not call a tool', async () => {
    const said = { openai: ['"required"', '"none"'], genai: ['"required"', '"none"'], anthropic: ['{"type":"any"}', '{"type":"none"}'] };
    const other = { gemini: ['"mode":"ANY"', '"mode":"NONE"'], ollama: ['', ''] };
    const words: Readonly<Record<string, readonly string[]>> = { ...said, ...other };
    answerWith({ content: 'Done.' });
    for (const tool_choice of ['required', 'none'] as const) await complete(vendor, { tools: [lookUp], tool_choice });
    const [required, none] = server.requests.map(({ body }) => JSON.stringify(body));
    const [must, mustNot] = words[vendor.name] ?? ['"required"', '"none"'];
    expect(required).toContain(must);
    expect(none).toContain(mustNot);
    if (vendor.name === 'ollama') expect(none).not.toContain(lookUp.description);
  });

  it('a model calls several tools at once and receives their results', async () => {
    const call = (word: string) => ({ name: advertisedName(), arguments: JSON.stringify({ word }) });
    server.mock.addFixture({
      match: { predicate: ({ messages }) => messages.some(({ role }) => role === 'tool') },
      response: { content: 'Done.' },
    });
    answerWith(() => ({ toolCalls: [call('fox'), call('dog')] }));
    const first = await complete(vendor, { tools: [lookUp] });
    expect(first.finish_reason).toBe('tool');
    const calls = first.message.content.filter((part) => part.type === 'tool_call');
    expect(calls.map(({ tool, input }) => [tool, input])).toEqual([
      [lookUp.name, { word: 'fox' }],
      [lookUp.name, { word: 'dog' }],
    ]);
    // The engine gives ids to calls that have none.
    const content = first.message.content.map((part, index) =>
      part.type === 'tool_call' ? { ...part, tool_call_id: part.tool_call_id || `call_1_${index}` } : part,
    );
    const results = content.flatMap((part) =>
      part.type === 'tool_call'
        ? [{ type: 'tool_result' as const, tool_call_id: part.tool_call_id, tool: part.tool, result: { known: true }, is_error: false }]
        : [],
    );
    const messages: Message[] = [...opening, { ...first.message, content }, { role: 'tool', content: results }, say('user', 'Go on.')];
    expect(await complete(vendor, { messages, tools: [lookUp] })).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } });
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('known');
  });

  it('a model request is retried after the pause that the vendor asks for', async () => {
    answerWith({ error: { message: 'Slow down', type: 'rate_limit' }, status: 429, retryAfter: 7 }, { match: { sequenceIndex: 0 } });
    answerWith({ content: 'Here.' });
    expect(await complete(vendor)).toMatchObject({ message: say('assistant', 'Here.') });
    expect(pauses).toEqual([7000]);
  });

  it('a model request fails after four attempts with growing pauses, with the vendor’s own message', async () => {
    answerWith({ error: { message: 'The hamster is tired', type: 'server_error' }, status: 500 });
    expect(await failure(vendor)).toMatchObject({
      variant: 'AgentError',
      code: 'INFERENCE_MODEL_UNAVAILABLE',
      retryable: true,
      details: { status: 500, vendor_message: 'The hamster is tired' },
    });
    expect(server.requests).toHaveLength(4);
    expect(pauses).toEqual([375, 750, 1500]);
  });

  it('reports a truncated answer after its partial content', async () => {
    answerWith({ content: 'The quick brown fox jumps over the lazy dog.' }, { truncateAfterChunks: 6, latency: 10 });
    const pieces: string[] = [];
    const error = await failure(vendor, { onDelta: ({ text }) => pieces.push(text) });
    expect(error).toMatchObject({ code: 'INFERENCE_ENGINE_ERROR', retryable: true });
    expect(pieces.join('')).toMatch(/^The qui.*/);
    expect(server.requests).toHaveLength(1);
  });

  it('reports an unreadable answer', async () => {
    answerWith({ content: 'never seen' }, { chaos: { malformedRate: 1 } });
    expect(await failure(vendor)).toMatchObject({ code: 'INFERENCE_MALFORMED_RESPONSE', category: 'inference' });
  });

  it('is cancelled before its first word, and the request ends', async () => {
    answerWith({ content: 'too late' }, { chaos: { latencyMs: 20_000 } });
    const stop = new AbortController();
    const ended = complete(vendor, { signal: stop.signal }).catch((error: unknown) => error);
    await server.arrived;
    stop.abort(new Error('enough'));
    expect(await ended).toMatchObject({ message: 'enough' });
    await server.hungUp;
  });

  it('is cancelled in the middle of a sentence, and the request ends', async () => {
    answerWith({ content: 'word '.repeat(2000) }, { latency: 50 });
    const stop = new AbortController();
    const onDelta = () => stop.abort(new Error('enough'));
    expect(await complete(vendor, { signal: stop.signal, onDelta }).catch((error: unknown) => error)).toMatchObject({ message: 'enough' });
    await server.hungUp;
  });

  it('reports that a conversation exceeds the context window', async () => {
    answerWith({ error: { message: 'This model’s maximum context length is 10 tokens', type: 'invalid_request_error' }, status: 400 });
    expect(await failure(vendor)).toMatchObject({ code: 'INFERENCE_CONTEXT_EXCEEDED', retryable: false });
    expect(pauses).toEqual([]);
  });

  it('refuses a grammar before anything is sent', async () => {
    expect(await failure(vendor, { grammar: 'root ::= "a"' })).toMatchObject({ code: 'CONFIG_GRAMMAR_UNSUPPORTED', retryable: false });
    expect(server.requests).toEqual([]);
  });

  it('says that a key is refused, without the key', async () => {
    answerWith({ error: { message: `Incorrect key ${vendor.keyed ? testKey : ''}`, type: 'authentication_error' }, status: 401 });
    expect(await failure(vendor)).toMatchObject({ code: 'INFERENCE_MODEL_UNAVAILABLE', retryable: false });
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(server.requests[0]?.headers).includes(testKey)).toBe(vendor.keyed);
  });
});

/** The name under which the last request told of the tool. */
function advertisedName(): string {
  return /"(t_[\w-]+)"/.exec(JSON.stringify(server.requests.at(-1)?.body))?.[1] ?? 'none';
}
