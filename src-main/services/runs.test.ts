import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type StudioClient, startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';

const chain = `pravah: 1
name: Chain
input: A
output: D
schemas:
  A: { type: object }
  B: { type: object }
  C: { type: object }
  D: { type: object }
nodes:
  - { kind: work, from: A, to: B }
  - kind: work
    from: B
    to: C
    run: "(b, ctx) => { ctx.log('half way'); return { ...b, n: (b.n ?? 0) + 1 }; }"
  - { kind: suspend, from: C, to: D }
`;

const endless = `pravah: 1
name: Endless
input: A
output: B
schemas: { A: { type: object }, B: { type: object } }
nodes:
  - kind: work
    from: A
    to: B
    run: "(a) => { for (;;) {} }"
`;

async function studio(host = {}): Promise<StudioClient & { readonly folder: string }> {
  const { folder } = await temporaryPlaces(onTestFinished);
  return { ...startStudio(onTestFinished, folder, host), folder };
}

const start = ({ client }: StudioClient, text = chain, input: Json = { n: 1 }) =>
  client.runs.start({ flow_path: 'a.flow.yaml', text, input });

async function take<T>(stream: AsyncIterator<T>, until: (value: T) => boolean): Promise<T[]> {
  const taken: T[] = [];
  for (let item = await stream.next(); !item.done; item = await stream.next()) {
    taken.push(item.value);
    if (until(item.value)) break;
  }
  return taken;
}

test('a run can be started paused, stepped, viewed and answered', async () => {
  const it = await studio();
  const begun = await start(it);
  expect(begun).toMatchObject({ status: 'paused', seq: 0, flow_name: 'Chain', input: { n: 1 }, current: { next: 'A' } });
  const { run_id: runId } = begun;
  const stepped = await it.client.runs.step({ run_id: runId, mode: 'into' });
  expect(stepped).toMatchObject({ status: 'paused', seq: 1, current: { next: 'B' } });
  expect(stepped.timeline).toMatchObject({ total: 1, from: 1, entries: [{ seq: 1, node: 'A', consumed: ['A'], produced: ['B'] }] });
  await it.client.runs.step({ run_id: runId, mode: 'over' });
  const waiting = await it.client.runs.step({ run_id: runId, mode: 'over' });
  expect(waiting.status).toBe('suspended');
  const [suspension] = waiting.suspensions;
  expect(await it.client.runs.stateAt({ run_id: runId, seq: 2 })).toMatchObject({
    states: [{ name: 'C', value: { n: 2 }, written_at: 2 }],
    consumed: [{ name: 'B', value: { n: 1 } }],
  });
  const answer = {
    run_id: runId,
    tool_id: suspension?.tool_id ?? '',
    tool_call_id: suspension?.tool_call_id ?? '',
    payload: { done: true },
  };
  const ended = await it.client.runs.resume(answer);
  expect(ended).toMatchObject({ status: 'success', output: { done: true } });
  await expect(it.client.runs.resume(answer)).rejects.toMatchObject({
    code: 'FAILED',
    data: { type: 'FlowError', variant: 'UnexpectedResumption' },
  });
});

test('events come from the record and then live, without a hole, and end with the run', async () => {
  const it = await studio();
  const { run_id: runId } = await start(it);
  await it.client.runs.step({ run_id: runId, mode: 'into' });
  const stream = await it.client.runs.events({ run_id: runId });
  const taking = take(stream, () => false);
  await it.client.runs.continue({ run_id: runId });
  await expect.poll(async () => (await it.client.runs.get({ run_id: runId })).status).toBe('suspended');
  const [suspension] = (await it.client.runs.get({ run_id: runId })).suspensions;
  const { tool_id = '', tool_call_id = '' } = suspension ?? {};
  await it.client.runs.resume({ run_id: runId, tool_id, tool_call_id, payload: {}, then_continue: true });
  const events = await taking;
  const exits = events.filter((event): event is Extract<RunEvent, { type: 'node_exit' }> => event.type === 'node_exit');
  expect(exits.map(({ seq, node }) => [seq, node])).toEqual([
    [1, 'A'],
    [2, 'B'],
    [expect.any(Number), 'C'],
  ]);
  expect(events.filter(({ type }) => type === 'log')).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: 'end_stream', status: 'success' });
  const again = await take(await it.client.runs.events({ run_id: runId, after_seq: 1 }), () => false);
  expect(again.filter(({ type }) => type === 'node_exit').map(({ seq }) => seq)).toEqual(exits.slice(1).map(({ seq }) => seq));
});

test('what works ahead is streamed apart, while events stay in the order of the record', async () => {
  const it = await studio();
  await writeFile(join(it.folder, 'script.json'), JSON.stringify({ turns: [{ output: 'done' }] }));
  const agent = (from: string, to: string) => ({ kind: 'agent', from, to, agent: { model: 'script://script.json', mode: 'chat' } });
  const branches = {
    pravah: 1,
    name: 'Branches',
    input: 'A',
    output: 'Z',
    schemas: { A: { type: 'object' }, B: {}, C: {}, B1: { type: 'string' }, C1: { type: 'string' }, Z: {} },
    nodes: [
      { kind: 'fork', from: 'A', to: ['B', 'C'] },
      agent('B', 'B1'),
      agent('C', 'C1'),
      { kind: 'join', from: ['B1', 'C1'], to: 'Z', run: '(one, other) => [one, other]' },
    ],
  };
  const { run_id: runId } = await start(it, JSON.stringify(branches));
  const ahead = take(await it.client.runs.ahead({ run_id: runId }), () => false);
  const events = take(await it.client.runs.events({ run_id: runId }), () => false);
  await it.client.runs.continue({ run_id: runId });
  expect((await events).flatMap((event) => (event.type === 'node_enter' ? [event.node] : []))).toEqual(['A', 'B', 'C', 'B1+C1']);
  const told = await ahead;
  expect(told.map((event) => [event.ahead, 'node' in event && event.node, 'seq' in event])).toEqual(told.map(() => [true, 'C', false]));
  expect([told.at(0), told.at(-1)]).toMatchObject([{ type: 'node_enter' }, { type: 'lifecycle', to: 'taken' }]);
});

test('publishes changed summaries to windows and to the host', async () => {
  const published: RunSummary[] = [];
  const it = await studio({ onRunChange: (run: RunSummary) => published.push(run) });
  const stream = await it.client.runs.watch();
  const { run_id: runId } = await start(it);
  await it.client.runs.continue({ run_id: runId });
  const seen = await take(stream, ({ status }) => status === 'suspended');
  expect(seen.at(-1)).toMatchObject({ run_id: runId, suspensions: [{ tool_id: 'C::suspend' }] });
  expect(published.at(-1)).toMatchObject({ run_id: runId, status: 'suspended' });
  expect(await it.client.runs.list({})).toMatchObject([{ run_id: runId, status: 'suspended' }]);
});

test('an endless body delays no other run, and Stop ends it', async () => {
  const it = await studio();
  const { run_id: runId } = await start(it, endless);
  const beats = await it.client.app.heartbeat({ interval_ms: 10 });
  await it.client.runs.continue({ run_id: runId });
  await take(beats, () => true);
  for (let count = 0; count < 20; count += 1) await beats.next();
  expect(await it.client.runs.get({ run_id: runId })).toMatchObject({ status: 'running' });
  expect(await it.client.runs.stop({ run_id: runId })).toMatchObject({ status: 'cancelled' });
  await expect(it.client.runs.step({ run_id: runId, mode: 'into' })).rejects.toMatchObject({ data: { variant: 'Cancelled' } });
});

test('a run that waits is answered by another studio after a restart', async () => {
  const { folder } = await temporaryPlaces(onTestFinished);
  const first = startStudio(onTestFinished, folder);
  const { run_id: runId } = await start(first);
  await first.client.runs.continue({ run_id: runId });
  await expect.poll(async () => (await first.client.runs.get({ run_id: runId })).status).toBe('suspended');
  await first.services.close();
  const second = startStudio(onTestFinished, folder);
  const [waiting] = await second.client.runs.list({});
  const { tool_id = '', tool_call_id = '' } = waiting?.suspensions[0] ?? {};
  expect(await second.client.runs.resume({ run_id: runId, tool_id, tool_call_id, payload: { late: true } })).toMatchObject({
    status: 'success',
    output: { late: true },
  });
});

test('of two answers at once one is refused', async () => {
  const it = await studio();
  const { run_id: runId } = await start(it);
  await it.client.runs.continue({ run_id: runId });
  await expect.poll(async () => (await it.client.runs.get({ run_id: runId })).status).toBe('suspended');
  const [{ tool_id = '', tool_call_id = '' } = {}] = (await it.client.runs.get({ run_id: runId })).suspensions;
  const answer = (payload: Json) => it.client.runs.resume({ run_id: runId, tool_id, tool_call_id, payload, then_continue: true });
  const answers = await Promise.allSettled([answer({ number: 1 }), answer({ number: 2 })]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await expect.poll(async () => (await it.client.runs.get({ run_id: runId })).output).toEqual({ number: 1 });
});

test('refused operations report the reason', async () => {
  const it = await studio();
  await expect(start(it, 'not: a flow')).rejects.toMatchObject({ code: 'FAILED', data: { variant: 'Invalid' } });
  await expect(start(it, chain, 'not an object')).rejects.toMatchObject({ data: { variant: 'DeserializeError' } });
  const unknown = '0199f2a0-7c1e-7000-8000-000000000000';
  await expect(it.client.runs.get({ run_id: unknown })).rejects.toMatchObject({ data: { variant: 'NotFound' } });
  await expect(it.client.runs.step({ run_id: unknown, mode: 'into' })).rejects.toMatchObject({ data: { variant: 'NotFound' } });
  await expect(take(await it.client.runs.events({ run_id: unknown }), () => false)).rejects.toMatchObject({
    data: { variant: 'NotFound' },
  });
  const { run_id: runId } = await start(it);
  await it.client.runs.continue({ run_id: runId });
  await expect.poll(async () => (await it.client.runs.get({ run_id: runId })).status).toBe('suspended');
  await expect(it.client.runs.continue({ run_id: runId })).rejects.toMatchObject({ data: { variant: 'ResumeRequired' } });
  await expect(it.client.runs.resume({ run_id: runId, tool_id: 'C::suspend', tool_call_id: 'another', payload: {} })).rejects.toMatchObject(
    {
      data: { variant: 'ResumeMismatchError' },
    },
  );
});

test('a run can be removed, and more runs than idle threads can be driven in turn', async () => {
  const it = await studio();
  const runs = [];
  for (let count = 0; count < 5; count += 1) runs.push(await start(it));
  for (const mode of ['into', 'over'] as const)
    for (const { run_id: runId } of runs) expect((await it.client.runs.step({ run_id: runId, mode })).status).toBe('paused');
  for (const { run_id: runId } of runs) await it.client.runs.remove({ run_id: runId });
  expect(await it.client.runs.list({})).toEqual([]);
});

test('the first example goes from its first start to the written file', async () => {
  await temporaryPlaces(onTestFinished);
  const { client } = startStudio(onTestFinished, undefined);
  const workspace = await client.workspace.current();
  expect(workspace).toMatchObject({ example: true, trusted: true, git: { branch: 'main' }, journal_notice: null });
  const [flow] = workspace?.flows ?? [];
  const { text, path } = await client.flows.read({ path: flow?.path ?? '' });
  expect(await client.flows.validate({ path, text })).toMatchObject({ valid: true });
  const { schema } = await client.flows.inputForm({ path, text });
  expect(schema).toMatchObject({ type: 'object', required: ['since', 'version', 'date'] });
  const { unconfirmed } = await client.consent.ofFlow({ path, text });
  expect(unconfirmed).toContain('write any file of this folder');
  await client.consent.confirm({ flow_path: path, keys: unconfirmed });
  const { run_id: runId } = await client.runs.start({
    flow_path: path,
    text,
    input: { since: 'v1.4.0', version: '1.5.0', date: '2026-11-21' },
  });
  await client.runs.continue({ run_id: runId });
  await expect.poll(async () => (await client.runs.get({ run_id: runId })).status).toBe('suspended');
  const { suspensions } = await client.runs.get({ run_id: runId });
  const { tool_id = '', tool_call_id = '', value } = suspensions[0] ?? {};
  const { input } = value as { input: { path: string; content: string } };
  const edited = { ...input, content: input.content.replace('## 1.5.0', '## 1.5.0 “Edited”') };
  const preview = await client.runs.preview({ run_id: runId, tool_call_id, input: edited });
  const changelog = join(workspace?.folder ?? '', 'CHANGELOG.md');
  expect(preview).toMatchObject({ path: 'CHANGELOG.md', before: await readFile(changelog, 'utf8'), after: edited.content });
  await client.runs.resume({ run_id: runId, tool_id, tool_call_id, payload: { approve: true, input: edited }, then_continue: true });
  await expect.poll(async () => (await client.runs.get({ run_id: runId })).status).toBe('success');
  expect(await readFile(changelog, 'utf8')).toContain('“Edited”');
  expect(await client.flows.inputForm({ path, text })).toMatchObject({ last_input: { version: '1.5.0' } });
});

test('reports a run that another process starts and drives', async () => {
  const it = await studio();
  const watch = await it.client.runs.watch();
  const other = startStudio(onTestFinished, it.folder);
  const { run_id: runId } = await start(other);
  await take(watch, (summary) => summary.run_id === runId && summary.status === 'paused');
  await other.client.runs.step({ run_id: runId, mode: 'into' });
  await take(watch, (summary) => summary.run_id === runId && summary.seq === 1);
});
