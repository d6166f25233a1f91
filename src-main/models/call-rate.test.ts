import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ModelClient, ModelRequest } from '#main/engine/ports/model-client.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { callAgent } from '#main/sdk/call-agent.ts';
import { createContext } from '#main/sdk/create-context.ts';
import { slowness } from '#main/testing/slowness.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { ProviderLimits, RetryTiming } from './retry.ts';
import { withRetry } from './with-retry.ts';

/** Only ends a test that hangs. */
const patient = { timeout: 20_000 * slowness };

/** Requests that wait for their answers, and what was asked in them. */
const open: { readonly text: string; readonly answer: () => void }[] = [];
let status = 200;
let asked = 0;
let holds = false;
const answering: RequestListener = (incoming, outgoing) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    asked += 1;
    const { messages } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { messages: { content: string }[] };
    const answer = () => reply(outgoing);
    if (holds) open.push({ text: messages.at(-1)?.content ?? '', answer });
    else answer();
  });
};

function reply(outgoing: ServerResponse): void {
  if (status !== 200) {
    outgoing.statusCode = status;
    outgoing.end('{"error":"busy"}');
    return;
  }
  outgoing.setHeader('content-type', 'application/x-ndjson');
  const counts = { prompt_eval_count: 60, eval_count: 40 };
  outgoing.end(`${JSON.stringify({ message: { role: 'assistant', content: 'Hi.' }, done: true, done_reason: 'stop', ...counts })}\n`);
}

let port = 0;
let server: Server;
/** Each test has an endpoint, and with it a queue, of its own. */
beforeEach(async () => {
  [open.length, status, asked, holds] = [0, 200, 0, false];
  server = createServer(answering);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise<void>((resolve) => server.close(() => resolve()));
});

/** A clock that only pauses move. */
function paused() {
  const sleeps: number[] = [];
  let at = 1_000_000;
  const sleep = async (ms: number) => {
    sleeps.push(ms);
    at += ms;
  };
  return { sleeps, random: () => 1, now: () => at, sleep };
}

function client(limits: ProviderLimits, timing?: RetryTiming): ModelClient {
  const settings = { providers: { ollama: limits } };
  const clients = createModelClients({ folder: '/', trusted: true, settings, environment: {}, ...(timing && { timing }) });
  return clients(`ollama://127.0.0.1:${port}/m`) as ModelClient;
}
const request = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  tools: [],
  params: {},
  turn: 0,
  signal: new AbortController().signal,
  ...more,
});

describe('the rate of a provider', () => {
  test('lets as many calls be in progress as it says, and begins the others in their order', async () => {
    holds = true;
    const model = await client({ rate: { concurrent: 2 } });
    const waits: unknown[] = [];
    const calls = ['a', 'b', 'c', 'd'].map((text) => model.complete(request(text, { onPause: (pause) => waits.push(pause) })));
    await vi.waitFor(() => expect(open).toHaveLength(2), patient);
    expect(open.map(({ text }) => text).sort()).toEqual(['a', 'b']);
    open[0]?.answer();
    await vi.waitFor(() => expect(open).toHaveLength(3), patient);
    expect(open[2]?.text).toBe('c');
    open[1]?.answer();
    await vi.waitFor(() => expect(open).toHaveLength(4), patient);
    for (const { answer } of open.slice(2)) answer();
    await Promise.all(calls);
    expect(waits).toEqual([
      { type: 'wait', reason: 'concurrent', ms: expect.any(Number) },
      { type: 'wait', reason: 'concurrent', ms: expect.any(Number) },
    ]);
  });

  test('begins as many calls in a minute as it says', async () => {
    const timing = paused();
    const model = await client({ rate: { requests_per_minute: 2 } }, timing);
    for (const text of ['a', 'b', 'c']) await model.complete(request(text));
    expect(timing.sleeps).toEqual([60_000]);
  });

  test('has only the first in line wait for the minute, so that none can overtake it', async () => {
    const asleep: (() => void)[] = [];
    let at = 1_000_000;
    const sleep = () => new Promise<void>((resolve) => asleep.push(resolve));
    const model = await client({ rate: { requests_per_minute: 1 } }, { ...paused(), now: () => at, sleep });
    const begun: string[] = [];
    const call = (text: string) => model.complete(request(text, { onPause: () => begun.push(text) }));
    await call('a');
    const later = ['b', 'c'].map(call);
    for (const count of [1, 2]) {
      await vi.waitFor(() => expect(asleep).toHaveLength(count), patient);
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      expect(asleep).toHaveLength(count);
      at += 60_000;
      asleep[count - 1]?.();
      await vi.waitFor(() => expect(begun).toHaveLength(count), patient);
    }
    await Promise.all(later);
    expect(begun).toEqual(['b', 'c']);
  });

  test('begins no call once the tokens of a minute are used', async () => {
    const timing = paused();
    const model = await client({ rate: { tokens_per_minute: 150 } }, timing);
    for (const text of ['a', 'b', 'c']) await model.complete(request(text));
    expect(timing.sleeps).toEqual([60_000]);
    expect(asked).toBe(3);
  });

  test('lets a call that is cancelled leave the line, and the next one begin', async () => {
    holds = true;
    const model = await client({ rate: { concurrent: 1 } });
    const first = model.complete(request('a'));
    await vi.waitFor(() => expect(open).toHaveLength(1), patient);
    const stop = new AbortController();
    const second = model.complete(request('b', { signal: stop.signal }));
    const third = model.complete(request('c'));
    stop.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    open[0]?.answer();
    await first;
    await vi.waitFor(() => expect(open.map(({ text }) => text)).toEqual(['a', 'c']), patient);
    open[1]?.answer();
    await third;
  });
});

describe('the retries of a provider', () => {
  test('are as many and as far apart as it says', async () => {
    status = 503;
    const timing = paused();
    const model = await client({ retry: { attempts: 3, first_ms: 100, longest_ms: 150 } }, timing);
    const pauses: unknown[] = [];
    await expect(model.complete(request('a', { onPause: (pause) => pauses.push(pause) }))).rejects.toMatchObject({
      code: 'INFERENCE_MODEL_UNAVAILABLE',
    });
    expect([asked, timing.sleeps]).toEqual([3, [100, 150]]);
    expect(pauses).toEqual([
      { type: 'retry', attempt: 1, code: 'INFERENCE_MODEL_UNAVAILABLE', ms: 100 },
      { type: 'retry', attempt: 2, code: 'INFERENCE_MODEL_UNAVAILABLE', ms: 150 },
    ]);
  });

  test('are events of a program that sets them for its context', async () => {
    status = 503;
    const events: RunEvent[] = [];
    const context = await createContext({
      providers: { ollama: { retry: { attempts: 2, first_ms: 1 } } },
      onEvent: (event) => {
        events.push(event);
        if (event.type === 'inference_retry') status = 200;
      },
    });
    const messages = request('a').messages.map((message) => ({ ...message, content: [...message.content] }));
    const { error } = await callAgent({ mode: 'chat', messages }, { model: `ollama://127.0.0.1:${port}/m`, context });
    expect(error).toBeNull();
    expect(events.filter(({ type }) => type === 'inference_retry')).toMatchObject([
      { node: 'Request', turn: 1, attempt: 1, code: 'INFERENCE_MODEL_UNAVAILABLE' },
    ]);
  });
});

describe("a program's own client with retries", () => {
  const failing = (times: number, spoken = false): ModelClient & { calls: number } => {
    const own = {
      calls: 0,
      complete: async ({ onDelta }: ModelRequest) => {
        own.calls += 1;
        if (spoken) onDelta?.({ type: 'text', text: 'Hel' });
        if (own.calls <= times) throw new FlowError('AgentError', 'Busy.', { code: 'INFERENCE_MODEL_UNAVAILABLE', retryable: true });
        return {
          message: { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'Hi.' }] },
          finish_reason: 'stop' as const,
          usage: { tokens_in: 1, tokens_out: 1 },
        };
      },
    };
    return own;
  };

  test('is called again after growing pauses', async () => {
    const timing = paused();
    const own = failing(2);
    await withRetry(own, {}, timing).complete(request('a'));
    expect([own.calls, timing.sleeps]).toEqual([3, [500, 1000]]);
  });

  test('is not called again once it has spoken, nor for what is not retryable', async () => {
    const timing = paused();
    const spoken = failing(1, true);
    await expect(withRetry(spoken, {}, timing).complete(request('a'))).rejects.toThrow('Busy.');
    const wrong: ModelClient = {
      complete: () => Promise.reject(new FlowError('AgentError', 'No key.', { retryable: false })),
    };
    await expect(withRetry(wrong, {}, timing).complete(request('a'))).rejects.toThrow('No key.');
    expect([spoken.calls, timing.sleeps]).toEqual([1, []]);
  });
});
