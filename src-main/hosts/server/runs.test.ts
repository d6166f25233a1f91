import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFlow, askFlow, Caller, countFlow, TestServer, testDatabases } from '#main/hosts/server/testing/test-server.ts';
import type { Json, JsonObject } from '#shared/json.ts';

describe.each(testDatabases('runs over HTTP'))('runs over HTTP, with a store in %s,', (database) => {
  let server: TestServer;
  let caller: Caller;
  beforeAll(async () => {
    server = await TestServer.start({ 'add.flow.yaml': addFlow, 'ask.flow.yaml': askFlow, 'count.flow.yaml': countFlow }, { database });
    caller = await server.caller('read', 'run');
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const start = async (body: JsonObject, query = '') => {
    const answer = await caller.post(`/v1/runs${query}`, body);
    expect(answer.status).toBe(201);
    return answer.body;
  };

  it('start, end and give their output within the time that the caller waits', async () => {
    const answer = await caller.post('/v1/runs?wait=60', { flow: 'add.flow.yaml', input: { n: 1 }, metadata: { order: 7 } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/runs/${answer.body.run_id}`);
    expect(answer.body).toMatchObject({
      flow: 'add.flow.yaml',
      status: 'success',
      input: { n: 1 },
      output: { n: 2 },
      metadata: { order: 7 },
    });
    expect(answer.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('that are many at once each end before the caller who waits for one is answered', async () => {
    const many = Array.from({ length: 60 }, async (_, n) => {
      const { body } = await caller.post('/v1/runs?wait=60', { flow: 'add.flow.yaml', input: { n } });
      return [body.status, body.output];
    });
    expect(await Promise.all(many)).toEqual(Array.from({ length: 60 }, (_, n) => ['success', { n: n + 1 }]));
  });

  it('are stepped, looked into, answered and read as a timeline', async () => {
    const run = await start({ flow: 'ask.flow.yaml', input: { n: 1 }, paused: true });
    expect(run).toMatchObject({ status: 'paused', seq: 0, states: [{ name: 'Question', value: { n: 1 } }] });
    const path = `/v1/runs/${run.run_id}`;
    const stepped = await caller.post(`${path}/step`, { after_seq: 0 });
    expect(stepped).toMatchObject({ status: 200, body: { seq: 1, states: [{ name: 'Checked', value: { n: 2 } }] } });
    const waiting = await caller.post(`${path}/step`);
    expect(waiting.body).toMatchObject({ status: 'suspended' });
    const [question] = waiting.body.suspensions as JsonObject[];
    const answer = { tool_id: question?.tool_id ?? '', tool_call_id: question?.tool_call_id ?? '', payload: { ok: true } };
    const refused = await caller.post(`${path}/resume`, { ...answer, payload: { ok: 'yes' } });
    expect(refused.status).toBe(422);
    const resumed = await caller.post(`${path}/resume`, { ...answer, then_continue: false });
    expect(resumed.status).toBe(200);
    await caller.post(`${path}/continue`);
    await expect.poll(async () => (await caller.get(path)).body.status, { timeout: 60_000 }).toBe('success');
    const { data, total } = (await caller.get(`${path}/steps?limit=2`)).body as { data: JsonObject[]; total: number };
    expect(data.map(({ seq, node }) => [seq, node])).toEqual([
      [1, 'Question'],
      [2, 'Checked'],
    ]);
    expect(total).toBeGreaterThan(2);
    expect((await caller.get(`${path}/steps/1`)).body).toMatchObject({ seq: 1, states: [{ name: 'Checked', value: { n: 2 } }] });
  });

  it('refuse a step of a caller who has not seen the last one', async () => {
    const { run_id } = await start({ flow: 'ask.flow.yaml', input: { n: 1 }, paused: true });
    const both = await Promise.all([1, 2].map(() => caller.post(`/v1/runs/${run_id}/step`, { after_seq: 0 })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await caller.get(`/v1/runs/${run_id}`)).body.seq).toBe(1);
  });

  it('are forked, replayed, compared and exported', async () => {
    const { run_id } = await start({ flow: 'add.flow.yaml', input: { n: 1 } }, '?wait=60');
    const fork = await caller.post(`/v1/runs/${run_id}/fork`, { seq: 0, states: [{ name: 'A', value: { n: 5 } }] });
    expect(fork).toMatchObject({ status: 201, body: { status: 'paused', forked_from: { run_id, seq: 0 } } });
    await caller.post(`/v1/runs/${fork.body.run_id}/step`);
    expect((await caller.get(`/v1/runs/${fork.body.run_id}`)).body).toMatchObject({ status: 'success', output: { n: 6 } });
    expect((await caller.post(`/v1/runs/${run_id}/replay`)).body).toMatchObject({ steps: 1, total: 1, divergence: null });
    expect((await caller.get(`/v1/runs/${run_id}/compare/${fork.body.run_id}`)).body).toMatchObject({ differing: 2 });
    const capsule = (await caller.get(`/v1/runs/${run_id}/capsule`)).body;
    expect(JSON.parse(String(capsule.content))).toMatchObject({ run: { run_id } });
  });

  it('are listed newest first, page by page, each once', async () => {
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1)
      made.push(String((await start({ flow: 'add.flow.yaml', input: { n: count }, paused: true })).run_id));
    const listed: string[] = [];
    let token = '';
    do {
      const { body } = await caller.get(`/v1/runs?limit=2&status=paused&flow=add.flow.yaml${token && `&page_token=${token}`}`);
      listed.push(...(body.data as { run_id: string }[]).map(({ run_id }) => run_id));
      token = typeof body.next_page_token === 'string' ? body.next_page_token : '';
      expect((body.data as Json[]).length).toBeLessThanOrEqual(2);
    } while (token !== '');
    expect(listed.filter((id) => made.includes(id))).toEqual(made.reverse());
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('are cancelled, and then removed', async () => {
    const { run_id } = await start({ flow: 'ask.flow.yaml', input: { n: 1 }, paused: true });
    expect((await caller.post(`/v1/runs/${run_id}/cancel`)).status).toBe(202);
    expect((await caller.get(`/v1/runs/${run_id}`)).body.status).toBe('cancelled');
    expect((await caller.post(`/v1/runs/${run_id}/step`)).status).toBe(409);
    expect((await caller.call('DELETE', `/v1/runs/${run_id}`)).status).toBe(204);
    expect((await caller.get(`/v1/runs/${run_id}`)).status).toBe(404);
  });

  it('that are driven when the server stops are driven on by the next one, and answers to repeated requests stay', async () => {
    const key = { 'idempotency-key': 'count-1' };
    const body = { flow: 'count.flow.yaml', input: { n: 0, to: 20_000 } };
    const first = await caller.post('/v1/runs', body, key);
    const path = `/v1/runs/${first.body.run_id}`;
    await server.restart();
    caller = new Caller(server.running.url, caller.token);
    const again = await caller.post('/v1/runs', body, key);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.body).toEqual(first.body);
    await expect.poll(async () => (await caller.get(path)).body.output, { timeout: 120_000 }).toMatchObject({ n: 20_000 });
    expect((await caller.get(path)).body.seq).toBe(40_001);
  });
});
