import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { type RetryTiming, realTiming } from '#main/models/retry.ts';
import type { FlowError } from '#shared/run/error.ts';
import type { Message } from '#shared/run/message.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let url: string;
let requests = 0;
let answer: Answer;
/** Settles when a client has ended a request before its answer was through. */
let hungUp = Promise.withResolvers<void>();

beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1;
    response.on('close', () => {
      if (!response.writableFinished) hungUp.resolve();
    });
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests = 0;
  hungUp = Promise.withResolvers();
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const event = (json: unknown) => `data: ${JSON.stringify(json)}\n\n`;
const named = (json: { readonly type: string; readonly [field: string]: unknown }) => `event: ${json.type}\n${event(json)}`;
const line = (json: unknown) => `${JSON.stringify(json)}\n`;
const streamed =
  (...pieces: string[]): Answer =>
  (response) => {
    response.setHeader('content-type', 'text/event-stream');
    for (const piece of pieces) response.write(piece);
    response.end();
  };

interface Told {
  readonly name: string;
  readonly model: string;
  /** A first word. */
  readonly begin: string;
  /** A call of `look`, with these arguments as their JSON text, in an answer that ends well and says these numbers of tokens. */
  readonly call: (args: string, tokens: unknown) => string[];
  /** How the vendor tells inside an answer that it is overloaded, and what is told of it. */
  readonly overloaded: readonly [piece: string, told: string];
  /** What no server should say: pieces of the vendor's protocol without what belongs in them. */
  readonly holes: readonly string[][];
}

const vendors: readonly Told[] = [
  {
    name: 'openai',
    model: 'openai://gpt-4o',
    begin: named({ type: 'response.output_text.delta', delta: 'Well' }),
    call: (args, tokens) => [
      named({ type: 'response.output_item.done', item: { type: 'function_call', call_id: 'c1', name: 'look', arguments: args } }),
      named({ type: 'response.completed', response: { usage: { input_tokens: tokens, output_tokens: tokens } } }),
    ],
    overloaded: [
      named({ type: 'response.failed', response: { error: { code: 'server_error', message: 'Overloaded' } } }),
      'server_error: Overloaded',
    ],
    holes: [
      [named({ type: 'response.output_item.done' })],
      [named({ type: 'response.completed' })],
      [named({ type: 'surprise' })],
      [event(null)],
    ],
  },
  {
    name: 'anthropic',
    model: 'anthropic://claude-sonnet-5-5',
    begin: named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Well' } }),
    call: (args, tokens) => [
      named({ type: 'message_start', message: { usage: { input_tokens: tokens, output_tokens: 0 } } }),
      named({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c1', name: 'look', input: {} } }),
      named({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: args } }),
      named({ type: 'content_block_stop', index: 0 }),
      named({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: tokens } }),
      named({ type: 'message_stop' }),
    ],
    overloaded: [named({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }), 'overloaded_error: Overloaded'],
    holes: [
      [named({ type: 'message_start' })],
      [named({ type: 'content_block_delta' })],
      [named({ type: 'message_delta' })],
      [named({ type: 'surprise' })],
    ],
  },
  {
    name: 'gemini',
    model: 'gemini://gemini-2.5-flash',
    begin: event({ candidates: [{ content: { role: 'model', parts: [{ text: 'Well' }] } }] }),
    call: (args, tokens) => [
      event({
        candidates: [
          { content: { role: 'model', parts: [{ functionCall: { name: 'look', args: JSON.parse(args) } }] }, finishReason: 'STOP' },
        ],
        usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: tokens },
      }),
    ],
    overloaded: [
      `${JSON.stringify({ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } })}\n\n`,
      expect.stringContaining('UNAVAILABLE') as string,
    ],
    holes: [
      [event({})],
      [event({ candidates: [] })],
      [event({ candidates: [{ content: null }] })],
      [event({ candidates: [{ finishReason: 'SAFETY' }] })],
    ],
  },
  {
    name: 'ollama',
    model: 'ollama',
    begin: line({ message: { role: 'assistant', content: 'Well' }, done: false }),
    call: (args, tokens) => [
      line({ message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'look', arguments: JSON.parse(args) } }] } }),
      line({ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', prompt_eval_count: tokens, eval_count: tokens }),
    ],
    overloaded: [line({ error: 'an internal error' }), 'an internal error'],
    holes: [[line({})], [line({ done: true })], [line(null)], [line({ message: { tool_calls: [{}] }, done: true })]],
  },
  {
    name: 'genai',
    model: 'genai://house/m',
    begin: event({ choices: [{ delta: { content: 'Well' } }] }),
    call: (args, tokens) => [
      event({ choices: [{ delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'look', arguments: args } }] } }] }),
      event({ choices: [{ delta: {}, finish_reason: 'tool_calls' }], usage: { prompt_tokens: tokens, completion_tokens: tokens } }),
    ],
    overloaded: [event({ error: { code: 'overloaded', message: 'Come back later' } }), 'overloaded: Come back later'],
    holes: [[event({})], [event({ choices: [{}] })], [event(null)], [event({ choices: [{ delta: { tool_calls: [null] } }] })]],
  },
];

const look = { name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: { at: { type: 'string' } } } };

async function complete(model: string, request: Partial<ModelRequest> = {}, timing: RetryTiming = realTiming) {
  const environment = {
    ...{ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k', ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' },
    ...{ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'k' },
  };
  const settings = { providers: { house: { base_url: `${url}/v1` } } };
  const target = model === 'ollama' ? `ollama://${url.slice('http://'.length)}/m` : model;
  const client = await createModelClients({ folder: '/nowhere', trusted: true, settings, environment, timing })(target);
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }];
  return client.complete({ messages, tools: [], params: {}, turn: 0, signal: new AbortController().signal, ...request });
}

const failureOf = (model: string, request: Partial<ModelRequest> = {}, timing?: RetryTiming) =>
  complete(model, request, timing).then(
    (response) => {
      throw new Error(`It did not fail: ${JSON.stringify(response)}`);
    },
    (error: FlowError) => error,
  );

const busy =
  (retryAfter: string): Answer =>
  (response) => {
    response.writeHead(429, { 'retry-after': retryAfter, 'content-type': 'application/json' }).end('{"error":{"message":"Busy"}}');
  };

describe.each(vendors)('a request to $name', ({ model, begin, call, overloaded, holes }) => {
  it('is cancelled while it waits for another attempt', async () => {
    answer = busy('30');
    const stop = new AbortController();
    const waits = Promise.withResolvers<number>();
    const sleep: RetryTiming['sleep'] = (milliseconds, signal) => {
      waits.resolve(milliseconds);
      return realTiming.sleep(milliseconds, signal);
    };
    const ended = complete(model, { signal: stop.signal }, { ...realTiming, sleep }).catch((error: unknown) => error);
    expect(await waits.promise).toBe(30_000);
    stop.abort(new Error('enough'));
    expect(await ended).toMatchObject({ message: 'enough' });
    expect(requests).toBe(1);
  });

  it('waits until the date that the vendor names, and not beyond the time that is left', async () => {
    const pauses: number[] = [];
    const timing = { random: () => 0, now: () => Date.UTC(2026, 0, 1), sleep: async (milliseconds: number) => pauses.push(milliseconds) };
    answer = (...heard) => (requests === 1 ? busy('Thu, 01 Jan 2026 00:00:20 GMT')(...heard) : streamed(...call('{}', 1))(...heard));
    expect(await complete(model, { tools: [look], time_left: 30_000 }, timing)).toMatchObject({ finish_reason: 'tool' });
    expect(pauses).toEqual([20_000]);
    answer = busy('Thu, 01 Jan 2026 00:00:20 GMT');
    requests = 0;
    const failure = await failureOf(model, { time_left: 10_000 }, timing);
    expect(failure.toJSON()).toMatchObject({
      code: 'INFERENCE_MODEL_UNAVAILABLE',
      details: { status: 429, retry_after: 20, vendor_message: 'Busy' },
    });
    expect([pauses, requests]).toEqual([[20_000], 1]);
  });

  it('ends when its time is over, although the answer never does', async () => {
    const heard = Promise.withResolvers<void>();
    answer = (response) => {
      response.setHeader('content-type', 'text/event-stream');
      const again = (): void => void (response.writable && response.write(begin, () => setImmediate(again)));
      again();
    };
    const late = new AbortController();
    const ended = failureOf(model, { signal: late.signal, onDelta: () => heard.resolve() });
    await heard.promise;
    late.abort(new Error('late'));
    expect(await ended).toMatchObject({ message: 'late' });
    await hungUp.promise;
  });

  it.each([
    ['missing', undefined],
    ['negative', -40],
    ['no number', 'many'],
  ])('takes a call whose tokens are %s', async (_what, tokens) => {
    answer = streamed(...call('{"at":"the \u{1F98A}","__proto__":{"polluted":1}}', tokens));
    const { message } = await complete(model, { tools: [look] });
    const [part] = message.content;
    expect(part).toMatchObject({ type: 'tool_call', tool: 'look' });
    expect(JSON.stringify(part)).toContain('"__proto__":{"polluted":1}');
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('an in-band overload error is retried unless the answer has already started', async () => {
    const [piece, told] = overloaded;
    const pauses: number[] = [];
    const timing = { random: () => 0, now: () => 0, sleep: async (milliseconds: number) => pauses.push(milliseconds) };
    answer = (...heard) => streamed(...(requests <= 2 ? [piece] : call('{}', 1)))(...heard);
    expect(await complete(model, { tools: [look] }, timing)).toMatchObject({ finish_reason: 'tool' });
    expect(pauses).toEqual([250, 500]);
    answer = streamed(piece);
    expect((await failureOf(model, {}, timing)).toJSON()).toMatchObject({
      code: 'INFERENCE_ENGINE_ERROR',
      retryable: true,
      details: { vendor_message: told },
    });
    expect(requests).toBe(3 + 4);
    answer = streamed(begin, piece);
    const failure = (await failureOf(model, {}, timing)).toJSON();
    expect(failure).toMatchObject({
      code: 'INFERENCE_ENGINE_ERROR',
      message: expect.stringContaining('cut off'),
      details: { vendor_message: expect.any(String) },
    });
    expect(requests).toBe(3 + 4 + 1);
  });

  it('reports an incomplete streamed answer', async () => {
    for (const pieces of [...holes, [], ['<html>Sign in to the hotel</html>\n\n']]) {
      for (const before of [[], [begin]]) {
        answer = streamed(...before, ...pieces);
        const ended = await complete(model, { tools: [look] }).catch((error: FlowError) => error.toJSON());
        if ('message' in ended && typeof ended.message === 'object') expect(ended.message.role).toBe('assistant');
        else
          expect(ended).toMatchObject({
            variant: 'AgentError',
            code: expect.stringMatching(/^INFERENCE_(MALFORMED_RESPONSE|ENGINE_ERROR)$/),
          });
      }
    }
  });
});
