import { expect, it } from 'vitest';
import { countFlow, TestServer } from '#main/hosts/server/testing/test-server.ts';

it('a server that drives as many runs as it takes puts off another one, which may be made meanwhile', async () => {
  await using server = await TestServer.start({ 'count.flow.yaml': countFlow }, { runLimit: 1 });
  const caller = await server.caller('read', 'run');
  const endless = { flow: 'count.flow.yaml', input: { n: 0, to: 1_000_000 } };
  const first = await caller.post('/v1/runs', endless);
  expect(first.status).toBe(201);
  const refused = await caller.post('/v1/runs', endless);
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'TOO_MANY_RUNS' } } });
  expect(refused.headers.get('retry-after')).toBe('1');
  const made = await caller.post('/v1/runs', { flow: 'count.flow.yaml', input: { n: 0, to: 1 }, paused: true });
  expect(made.status).toBe(201);
  const path = `/v1/runs/${made.body.run_id}/continue`;
  expect((await caller.post(path)).status).toBe(503);
  await caller.post(`/v1/runs/${first.body.run_id}/cancel`);
  await expect.poll(async () => (await caller.post(path)).status).toBe(202);
});
