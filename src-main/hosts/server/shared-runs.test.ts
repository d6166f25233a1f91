import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askFlow, type Caller, countFlow, TestServer } from '#main/hosts/server/testing/test-server.ts';
import { withoutPostgres } from '#main/testing/postgres-server.ts';
import { packBundle } from '#main/workspace/bundle/bundle.ts';
import type { JsonObject } from '#shared/json.ts';

const bundleOf = (text: string) =>
  packBundle({ flow: 'it.flow.yaml', files: new Map([['it.flow.yaml', new Uint8Array(Buffer.from(text))]]) });
const long = 1_000_000;

describe.skipIf(withoutPostgres('servers with a common database'))('two servers with one database', () => {
  let first: TestServer;
  let second: TestServer;
  let one: Caller;
  let other: Caller;
  beforeAll(async () => {
    first = await TestServer.start({}, { database: 'PostgreSQL' });
    second = await first.another();
    one = await first.caller('read', 'run', 'approve', 'manage');
    other = await second.caller('read', 'run', 'approve', 'manage');
    for (const [name, text] of Object.entries({ count: countFlow, ask: askFlow }))
      expect((await one.call('POST', `/v1/flows?name=${name}`, { bundle: bundleOf(text) })).status).toBe(201);
  });
  afterAll(async () => {
    await second[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
  });

  const start = async (caller: Caller, flow: string, input: JsonObject, paused: boolean) =>
    (await caller.post('/v1/runs?wait=60', { flow, input, paused })).body;
  const read = async (caller: Caller, id: unknown) => (await caller.get(`/v1/runs/${id}`)).body;

  it('show the same runs, records and states', async () => {
    const { run_id: id } = await start(one, 'count', { n: 0, to: 40 }, false);
    expect(await read(other, id)).toEqual(await read(one, id));
    for (const path of ['steps?limit=100', 'steps/80', 'capsule', `compare/${id}`])
      expect((await other.get(`/v1/runs/${id}/${path}`)).body).toEqual((await one.get(`/v1/runs/${id}/${path}`)).body);
    expect((await other.get('/v1/runs?flow=count')).body.data).toEqual((await one.get('/v1/runs?flow=count')).body.data);
  });

  it('step one run in turn', async () => {
    const { run_id: id } = await start(one, 'count', { n: 0, to: 10 }, true);
    for (let seq = 1; seq <= 6; seq += 1)
      expect((await (seq % 2 === 0 ? one : other).post(`/v1/runs/${id}/step`, { mode: 'into', after_seq: seq - 1 })).body).toMatchObject({
        seq,
      });
    expect((await one.post(`/v1/runs/${id}/step`, { mode: 'into', after_seq: 5 })).status).toBe(409);
    expect((await other.post(`/v1/runs/${id}/continue`, {})).status).toBe(202);
    await expect.poll(async () => (await read(one, id)).status, { timeout: 30_000 }).toBe('success');
    expect(await read(one, id)).toMatchObject({ seq: 21, output: { n: 10 } });
  });

  it('make each step once if both are asked at the same time', async () => {
    const { run_id: id } = await start(one, 'count', { n: 0, to: 50 }, true);
    let made = 0;
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all([one, other].map((caller) => caller.post(`/v1/runs/${id}/step`, { mode: 'into' })));
      for (const { status } of answers) expect([200, 409]).toContain(status);
      made += answers.filter(({ status }) => status === 200).length;
      expect(await read(one, id)).toMatchObject({ seq: made });
    }
    expect(made).toBeGreaterThanOrEqual(10);
  });

  it('answer what a run on the other one asks', async () => {
    const { run_id: id, suspensions } = await start(one, 'ask', { n: 1 }, false);
    const [{ tool_id, tool_call_id }] = suspensions as [JsonObject];
    const answer = { tool_id, tool_call_id, payload: { ok: true } };
    expect((await other.post(`/v1/runs/${id}/resume`, answer as JsonObject)).status).toBe(200);
    await expect.poll(async () => (await read(one, id)).status, { timeout: 30_000 }).toBe('success');
    expect((await one.post(`/v1/runs/${id}/resume`, answer as JsonObject)).status).toBe(409);
    expect((await one.call('DELETE', `/v1/runs/${id}`)).status).toBe(204);
    expect((await other.get(`/v1/runs/${id}`)).status).toBe(404);
  });

  it('cancel a run that the other one drives, and never drive it both', async () => {
    const started = await one.post('/v1/runs', { flow: 'count', input: { n: 0, to: long } });
    const id = started.body.run_id;
    await expect.poll(async () => (await read(other, id)).status, { timeout: 30_000 }).toBe('running');
    expect((await other.post(`/v1/runs/${id}/step`, { mode: 'into' })).status).toBe(409);
    expect((await other.post(`/v1/runs/${id}/cancel`)).status).toBe(202);
    await expect.poll(async () => (await read(other, id)).status, { timeout: 30_000 }).toBe('cancelled');
    expect(await read(one, id)).toEqual(await read(other, id));
  });

  it('stream what the other one drives, each event once and in order, to the end', async () => {
    const { run_id: id } = await start(one, 'count', { n: 0, to: 200 }, true);
    const stream = await fetch(`${other.url}/v1/runs/${id}/sse`, { headers: { authorization: `Bearer ${other.token}` } });
    const reading = stream.text();
    expect((await one.post(`/v1/runs/${id}/step`, { mode: 'into' })).status).toBe(200);
    expect((await one.post(`/v1/runs/${id}/continue`, {})).status).toBe(202);
    const ended = [...(await reading).matchAll(/^id: (\d+)\.\d+\nevent: node_exit$/gm)].map(([, seq]) => Number(seq));
    expect(ended).toEqual(Array.from({ length: 401 }, (_, at) => at + 1));
  });

  it('stream a run that both drive in turn', async () => {
    const { run_id: id } = await start(one, 'count', { n: 0, to: 10 }, true);
    const streams = await Promise.all(
      [one, other].map(({ url, token }) => fetch(`${url}/v1/runs/${id}/sse`, { headers: { authorization: `Bearer ${token}` } })),
    );
    const reading = streams.map((stream) => stream.text());
    for (let seq = 1; seq <= 21; seq += 1)
      expect((await (seq % 3 === 0 ? one : other).post(`/v1/runs/${id}/step`, { mode: 'into' })).status).toBe(200);
    for (const text of await Promise.all(reading)) {
      const ended = [...text.matchAll(/^id: (\d+)\.\d+\nevent: node_exit$/gm)].map(([, seq]) => Number(seq));
      expect(ended).toEqual(Array.from({ length: 21 }, (_, at) => at + 1));
    }
  });

  it('pause a run that the other one drives, which then stands until it is continued', async () => {
    const { run_id: id } = (await one.post('/v1/runs', { flow: 'count', input: { n: 0, to: long } })).body;
    await expect.poll(async () => (await read(other, id)).status, { timeout: 30_000 }).toBe('running');
    expect((await other.post(`/v1/runs/${id}/pause`)).status).toBe(202);
    await expect.poll(async () => (await read(other, id)).status, { timeout: 30_000 }).toBe('paused');
    const { seq } = await read(one, id);
    expect((await one.post(`/v1/runs/${id}/continue`, { max_steps: 10 })).status).toBe(202);
    await expect.poll(async () => await read(other, id), { timeout: 30_000 }).toMatchObject({ status: 'paused', seq: Number(seq) + 10 });
    expect((await other.post(`/v1/runs/${id}/continue`, {})).status).toBe(202);
    // The wish was that of a drive that is over.
    await expect.poll(async () => Number((await read(one, id)).seq), { timeout: 30_000 }).toBeGreaterThan(Number(seq) + 400);
    expect((await read(one, id)).status).toBe('running');
    expect((await one.post(`/v1/runs/${id}/cancel`)).status).toBe(202);
    await expect.poll(async () => (await read(other, id)).status, { timeout: 30_000 }).toBe('cancelled');
  });

  it('fork a run of the other one', async () => {
    const { run_id: id } = await start(one, 'count', { n: 0, to: 4 }, false);
    const fork = await other.post(`/v1/runs/${id}/fork`, { seq: 4 });
    expect(fork).toMatchObject({ status: 201, body: { forked_from: { run_id: id, seq: 4 } } });
    expect((await one.post(`/v1/runs/${fork.body.run_id}/step`, { mode: 'into' })).body).toMatchObject({ seq: 1 });
  });
});
