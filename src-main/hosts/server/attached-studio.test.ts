import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addFlow, askFlow, type Caller, countFlow, TestServer, writeFlow } from '#main/hosts/server/testing/test-server.ts';
import { type StudioClient, startStudio } from '#main/services/testing/studio-client.ts';
import { confirm } from '#main/workspace/capabilities/consent.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { Scope } from '#shared/contract/server/common.ts';

let server: TestServer;
let studio: StudioClient['client'];
let ends: (() => PromiseLike<void> | void)[] = [];

beforeEach(async () => {
  server = await TestServer.start({
    'add.flow.yaml': addFlow,
    'ask.flow.yaml': askFlow,
    'count.flow.yaml': countFlow,
    'write.flow.yaml': writeFlow,
  });
  const folder = mkdtempSync(join(tmpdir(), 'pravah-own-'));
  ends = [() => server[Symbol.asyncDispose](), () => rmSync(folder, { recursive: true, force: true })];
  studio = startStudio((end) => ends.push(end), folder).client;
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
});

/** Attaches the studio with a token of these scopes. */
async function attach(...scopes: Scope[]): Promise<Caller> {
  const caller = await server.caller(...scopes);
  await studio.servers.add({ name: 'prod', url: caller.url, token: caller.token });
  return caller;
}

/** Starts a run on the server and returns its id in the studio. */
async function start(caller: Caller, flow: string, input: object, query = ''): Promise<string> {
  const { body } = await caller.post(`/v1/runs${query}`, { flow, input: input as Record<string, number>, paused: query === '' });
  return `prod/${String(body.run_id)}`;
}

describe('a studio that is attached to a server', () => {
  it('lists the runs of the server beside its own, and steps, reads and compares them like its own', async () => {
    const caller = await attach('read', 'run');
    const one = await start(caller, 'add.flow.yaml', { n: 1 });
    const other = await start(caller, 'add.flow.yaml', { n: 5 }, '?wait=30');
    expect((await studio.runs.list({})).map(({ run_id }) => run_id)).toEqual([other, one]);
    expect(await studio.runs.get({ run_id: one })).toMatchObject({ run_id: one, status: 'paused', input: { n: 1 } });
    expect(await studio.runs.step({ run_id: one, mode: 'into' })).toMatchObject({ run_id: one, status: 'success', output: { n: 2 } });
    expect((await studio.runs.timeline({ run_id: one, from: 1 })).entries).toMatchObject([{ node: 'A' }]);
    expect(await studio.runs.stateAt({ run_id: one, seq: 1 })).toMatchObject({ states: [{ name: 'B', value: { n: 2 } }] });
    const { run_id: fork } = await studio.runs.fork({ run_id: other, seq: 0, states: [{ name: 'A', value: { n: 7 } }] });
    expect(await studio.runs.get({ run_id: fork })).toMatchObject({ forked_from: { run_id: other } });
    await studio.runs.step({ run_id: fork, mode: 'into' });
    const compared = await studio.runs.compare({ run_id: other, other_run_id: fork });
    expect(compared.total).toBeGreaterThan(0);
    expect(JSON.parse((await studio.runs.exportCapsule({ run_id: one })).content)).toBeTypeOf('object');
    await studio.runs.remove({ run_id: one });
    await expect(studio.runs.get({ run_id: one })).rejects.toThrow('There is no run');
  });

  it('follows the runs of the server while they are driven', async () => {
    const caller = await attach('read', 'run');
    const run = await start(caller, 'count.flow.yaml', { n: 0, to: 20 });
    const stop = new AbortController();
    const watched: RunSummary[] = [];
    const watching = (async () => {
      for await (const summary of await studio.runs.watch(undefined, { signal: stop.signal })) watched.push(summary);
    })().catch(() => undefined);
    await studio.runs.continue({ run_id: run });
    const seqs: number[] = [];
    for await (const event of await studio.runs.events({ run_id: run, after_seq: 0 })) {
      expect(event.run_id).toBe(run);
      if (event.type === 'node_exit') seqs.push(event.seq);
    }
    expect(seqs).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
    await expect.poll(() => watched.find(({ run_id, status }) => run_id === run && status === 'success')).toBeTruthy();
    stop.abort();
    await watching;
  });

  it('answers what runs ask, approvals only with a token that may approve', async () => {
    const caller = await attach('read', 'run');
    const asking = await start(caller, 'ask.flow.yaml', { n: 1 }, '?wait=30');
    const question = (await studio.runs.get({ run_id: asking })).suspensions[0];
    const { tool_id = '', tool_call_id = '' } = question ?? {};
    const answer = { run_id: asking, tool_id, tool_call_id, payload: { ok: true }, then_continue: true };
    await studio.runs.resume(answer);
    await expect.poll(async () => (await studio.runs.get({ run_id: asking })).output).toEqual({ ok: true });

    const { body: flow } = await caller.get('/v1/flows/write.flow.yaml');
    await confirm(server.folder, 'write.flow.yaml', flow.unconfirmed as string[]);
    const writing = await start(caller, 'write.flow.yaml', { text: 'hello' }, '?wait=30');
    const approval = (await studio.runs.get({ run_id: writing })).suspensions[0];
    const approved = {
      run_id: writing,
      tool_id: approval?.tool_id ?? '',
      tool_call_id: approval?.tool_call_id ?? '',
      payload: { approve: true },
    };
    await expect(studio.runs.resume(approved)).rejects.toThrow('approve');
    await attach('read', 'run', 'approve');
    expect(await studio.runs.resume({ ...approved, then_continue: true })).toMatchObject({ run_id: writing });
  });

  it('says what is wrong with a server, and keeps none that does not answer', async () => {
    const { url } = server.running;
    const add = (parts: object) => studio.servers.add({ name: 'prod', url, token: 'none', ...parts });
    await expect(add({})).rejects.toThrow('does not take the token');
    await expect(add({ url: 'http://127.0.0.1:9' })).rejects.toThrow('does not answer');
    await expect(add({ url: 'http://runs.example.com' })).rejects.toThrow('unencrypted');
    await expect(add({ name: 'a/b' })).rejects.toThrow('can’t be the name of a server'.replace('’', "'"));
    expect(await studio.servers.list()).toEqual([]);
    await attach('read');
    expect(await studio.servers.list()).toMatchObject([{ name: 'prod', url, state: 'ok', scopes: ['read'], problem: '' }]);
    await server.stop();
    expect(await studio.servers.list()).toMatchObject([{ state: 'away' }]);
    expect(await studio.runs.list({})).toEqual([]);
    await expect(studio.runs.get({ run_id: 'prod/none' })).rejects.toThrow('The server “prod” does not answer');
    await studio.servers.remove({ name: 'prod' });
    expect(await studio.servers.list()).toEqual([]);
    await expect(studio.runs.get({ run_id: 'prod/none' })).rejects.toThrow('There is no server “prod”');
  });

  it('may neither start flows of its own nor restore files on the server', async () => {
    const caller = await attach('read', 'run', 'approve', 'admin');
    for (const call of ['runs/start', 'runs/restore', 'runs/openCapsule', 'runs/matrix', 'app/info', 'debug/put'])
      expect((await caller.post(`/v1/studio/${call}`, { json: { run_id: 'x' } })).status, call).toBe(404);
    const reader = await server.caller('read');
    expect((await reader.post('/v1/studio/runs/step', { json: { run_id: 'x', mode: 'into' } })).status).toBe(403);
    expect((await reader.post('/v1/studio/runs/get', { json: { run_id: 'x' } })).status).toBe(404);
  });
});
