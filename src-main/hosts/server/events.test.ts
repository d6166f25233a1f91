import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFlow, askFlow, Caller, countFlow, TestServer } from '#main/hosts/server/testing/test-server.ts';

interface Received {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly type?: string; readonly seq?: number; readonly reason?: string };
}

/** Reads a stream until it ends or `until` says so. */
async function read(caller: Caller, path: string, headers: Record<string, string>, until: (all: Received[]) => boolean = () => false) {
  const abort = new AbortController();
  const response = await fetch(caller.url + path, {
    headers: { authorization: `Bearer ${caller.token}`, ...headers },
    signal: abort.signal,
  });
  const received: Received[] = [];
  if (response.status !== 200 || !response.body) return { status: response.status, received };
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      text = text.slice(end + 2);
      if (fields.event) received.push({ id: fields.id ?? '', event: fields.event, data: JSON.parse(fields.data ?? '{}') });
      if (until(received)) {
        abort.abort();
        return { status: response.status, received };
      }
    }
  }
  return { status: response.status, received };
}

const recorded = (received: readonly Received[]) =>
  received.filter(({ event }) => event === 'node_enter' || event === 'node_exit').map(({ id, event }) => `${id} ${event}`);

describe('streams of a run', () => {
  let server: TestServer;
  let caller: Caller;
  beforeAll(async () => {
    server = await TestServer.start({ 'add.flow.yaml': addFlow, 'ask.flow.yaml': askFlow, 'count.flow.yaml': countFlow });
    caller = await server.caller('read', 'run', 'admin');
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });
  const start = async (flow: string, input: Record<string, number>) => {
    const { body } = await caller.post('/v1/runs', { flow, input, paused: true });
    return String(body.run_id);
  };

  it('give every event once and in order, live and again from the journal, however often a reader connects', async () => {
    const run = await start('count.flow.yaml', { n: 0, to: 300 });
    const whole = read(caller, `/v1/runs/${run}/sse`, {});
    const broken = (async () => {
      const all: Received[] = [];
      for (let last = ''; ; ) {
        let count = 0;
        const { status, received } = await read(
          caller,
          `/v1/runs/${run}/events`,
          { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) },
          () => {
            count += 1;
            return count > 97;
          },
        );
        all.push(...received);
        if (status === 204 || received.some(({ data }) => data.reason === 'ended')) return all;
        last = received.filter(({ id }) => id !== '').at(-1)?.id ?? last;
      }
    })();
    await caller.post(`/v1/runs/${run}/continue`);
    const late = async () => recorded((await read(caller, `/v1/runs/${run}/sse`, {})).received);
    const first = recorded((await whole).received);
    expect(first).toHaveLength(2 * 601);
    expect(new Set(first).size).toBe(first.length);
    expect(recorded(await broken)).toEqual(first);
    expect(await late()).toEqual(first);
    const { body } = await caller.get(`/v1/runs/${run}/events?after_seq=600`);
    expect(body).toMatchObject({ data: [{ seq: 601 }, { seq: 601 }], next_after_seq: null });
  });

  it('end when their token is revoked, and when the server stops', async () => {
    const run = await start('ask.flow.yaml', { n: 1 });
    const made = await caller.post('/v1/tokens', { name: 'watcher', scopes: ['read'] });
    const watcher = new Caller(caller.url, String(made.body.token));
    const stream = read(watcher, `/v1/runs/${run}/sse`, {}, (all) => {
      if (all.length === 1) void caller.call('DELETE', `/v1/tokens/${made.body.id}`);
      return false;
    });
    expect((await stream).received.at(-1)).toMatchObject({ event: 'disconnecting', data: { reason: 'revoked' } });
    const other = read(caller, `/v1/runs/${run}/sse`, {}, (all) => {
      if (all.length === 1) void server.restart();
      return false;
    });
    expect((await other).received.at(-1)).toMatchObject({ event: 'disconnecting', data: { reason: 'stopping' } });
  });

  it('tell of all runs as they change', async () => {
    await expect.poll(async () => (await fetch(`${server.running.url}/ready`)).status).toBe(200);
    const again = new Caller(server.running.url, caller.token);
    const told = read(again, '/v1/runs/watch', {}, (all) => {
      if (all.length === 1) void again.post('/v1/runs', { flow: 'add.flow.yaml', input: { n: 1 } });
      return all.some(({ data }) => (data as { status?: string }).status === 'success');
    });
    expect((await told).received.at(-1)).toMatchObject({ event: 'run', data: { flow: 'add.flow.yaml', status: 'success', seq: 1 } });
  });

  it('are refused from an invalid place', async () => {
    await expect.poll(async () => (await fetch(`${server.running.url}/ready`)).status).toBe(200);
    const again = new Caller(server.running.url, caller.token);
    const { body } = await again.post('/v1/runs', { flow: 'add.flow.yaml', input: { n: 1 }, paused: true });
    expect((await read(again, `/v1/runs/${body.run_id}/sse`, { 'last-event-id': 'x' })).status).toBe(400);
    expect((await read(again, '/v1/runs/018f0000-0000-7000-8000-000000000000/sse', {})).status).toBe(404);
  });
});
