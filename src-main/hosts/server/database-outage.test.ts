import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Answer, addFlow, countFlow, TestServer } from '#main/hosts/server/testing/test-server.ts';
import { withoutPostgres } from '#main/testing/postgres-server.ts';
import { packBundle } from '#main/workspace/bundle/bundle.ts';
import type { JsonObject } from '#shared/json.ts';

const clients = 4;
const requests = 6;

it.skipIf(withoutPostgres('a database that fails under load'))(
  'a server whose PostgreSQL fails under load asks callers to try again, and performs each request once',
  async () => {
    await using server = await TestServer.start({ 'add.flow.yaml': addFlow }, { database: 'PostgreSQL', silence: 6 });
    const caller = await server.caller('read', 'run');
    const manager = await server.caller('run', 'manage');
    const bundle = packBundle({ flow: 'it.flow.yaml', files: new Map([['it.flow.yaml', new Uint8Array(Buffer.from(countFlow))]]) });
    expect((await manager.call('POST', '/v1/flows?name=count', { bundle })).status).toBe(201);
    const long = (await caller.post('/v1/runs', { flow: 'count', input: { n: 0, to: 400_000 } })).body.run_id;
    const seqOf = async () => Number((await caller.get(`/v1/runs/${long}`)).body.seq);
    const refused: Answer[] = [];
    let done = 0;
    /** Sends a request until it is performed. */
    const perform = async (key: string, n: number): Promise<JsonObject> => {
      for (;;) {
        const answer = await caller.post('/v1/runs?wait=60', { flow: 'add.flow.yaml', input: { n } }, { 'idempotency-key': key });
        if (answer.status === 201) return answer.body;
        refused.push(answer);
        await wait(100);
      }
    };
    const load = Array.from({ length: clients }, async (_, client) => {
      const runs: JsonObject[] = [];
      for (let n = 0; n < requests; n += 1) {
        runs.push(await perform(`run-${client}-${n}`, n));
        done += 1;
      }
      return runs;
    });
    await expect.poll(() => done, { interval: 10 }).toBeGreaterThanOrEqual(clients);
    await expect.poll(seqOf).toBeGreaterThan(0);
    await server.postgres?.stop();
    await expect.poll(() => refused.length, { interval: 10 }).toBeGreaterThanOrEqual(clients);
    const ready = await fetch(`${server.running.url}/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: 'degraded', missing: expect.stringContaining("can't be reached") });
    // Longer than the run that is driven sends its records again.
    await wait(5000);
    await server.postgres?.restart();

    const runs = (await Promise.all(load)).flat();
    expect((await fetch(`${server.running.url}/ready`)).status).toBe(200);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    for (const { headers, body } of refused) {
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(headers.get('retry-after')).toBe('1');
      expect(JSON.stringify(body)).not.toMatch(/select|insert|update/i);
    }
    for (const [index, run] of runs.entries()) expect(run).toMatchObject({ status: 'success', output: { n: (index % requests) + 1 } });
    // The run that was driven meanwhile goes on.
    const before = await seqOf();
    await expect.poll(seqOf, { timeout: 60_000 }).toBeGreaterThan(before);
    expect((await caller.post(`/v1/runs/${long}/cancel`)).status).toBe(202);
    await expect.poll(async () => (await caller.get(`/v1/runs/${long}`)).body.status, { timeout: 60_000 }).toBe('cancelled');
    expect((await caller.call('DELETE', `/v1/runs/${long}`)).status).toBe(204);
    const listed = await caller.get('/v1/runs?limit=200');
    expect((listed.body.data as JsonObject[]).map(({ run_id }) => run_id).sort()).toEqual(runs.map(({ run_id }) => run_id).sort());
  },
  180_000,
);
