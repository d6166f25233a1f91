import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { soundFlow } from '#main/engine/testing/random-flow.ts';
import { Journal } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { type ExecutorOptions, RunExecutor } from '#main/runner/run-executor.ts';
import { detailOf, stateAt, summaryOf } from '#main/runner/run-views.ts';
import { documentOf, TestWorkspace } from '#main/runner/testing.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { ForkRequest } from '#shared/contract/time-travel.ts';
import type { Json } from '#shared/json.ts';
import { makeFork, planFork } from './fork.ts';
import { driveToEnd, endOf, forkAt, startGraph, suspensionsOf } from './testing.ts';

let space: TestWorkspace;
let options: ExecutorOptions;
beforeEach(async () => {
  space = new TestWorkspace();
  options = await space.options();
});
afterEach(() => space.remove());

const planned = (request: ForkRequest, secrets?: ReadonlyMap<string, string>) =>
  planFork(space.journal, request, { folder: space.folder, trusted: false, settings: defaultSettings, ...(secrets && { secrets }) });

async function fork(request: ForkRequest): Promise<RunExecutor> {
  const runId = makeFork(space.journal, await planned(request), randomUUID(), 1);
  return RunExecutor.open({ ...options, token: randomUUID() }, runId);
}

test('a fork at any step of any flow ends as its parent does when nothing is edited', async () => {
  const met = new Set<string>();
  // On disk, most of the time would go into waiting for it.
  const journal = Journal.open(':memory:');
  const inMemory = { ...options, journal };
  const folder = { folder: space.folder, trusted: false, settings: defaultSettings };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0 }), fc.integer({ min: 0, max: 5 }), async (flow, n) => {
      const parent = await startGraph(space, soundFlow(flow), { n, path: [] }, inMemory);
      const end = endOf(await driveToEnd(journal, parent));
      const reader = new RunReader(journal, journal.row(parent.runId));
      for (let seq = 0; seq <= Math.min(reader.row.last_seq, 9); seq += 1) {
        const { control } = reader.foldAt(seq);
        for (const [part, value] of Object.entries(control)) if (Object.keys(value).length > 0) met.add(part);
        const made = makeFork(journal, await planFork(journal, forkAt(parent.runId, seq), folder), randomUUID(), 1);
        const child = RunExecutor.open({ ...inMemory, token: randomUUID() }, made);
        const began = new RunReader(journal, journal.row(made));
        expect(began.snapshotAt(0)).toMatchObject({ states: reader.snapshotAt(seq).states, control });
        expect(began.history(0)).toEqual(reader.history(seq));
        expect(endOf(await driveToEnd(journal, child))).toEqual(end);
        child.close();
      }
      parent.close();
    }),
    { seed: 11, numRuns: 6 },
  );
  journal.close();
  expect([...met]).toEqual(expect.arrayContaining(['agents', 'frames', 'handlers', 'suspensions', 'answers', 'script_positions']));
}, 60_000);

const chain = (bodies: readonly string[]): Json =>
  documentOf(
    'A',
    'D',
    ['A', 'B', 'C'].map((from, at) => ({ kind: 'work', from, to: 'BCD'[at] as string, run: bodies[at] as string })),
  );
const adding = '({ n }) => ({ n: n + 1 })';

describe('a fork', () => {
  test('begins with edited, dropped and added states, knows its parent, and leaves it alone', async () => {
    const parent = await space.start(chain([adding, adding, adding]), { n: 1 });
    await parent.continue();
    const before = JSON.stringify(detailOf(space.journal, parent.runId, 0));
    const child = await fork(forkAt(parent.runId, 1, { states: [{ name: 'B', value: { n: 10 } }] }));
    expect(summaryOf(space.journal, space.journal.row(child.runId), 0)).toMatchObject({
      forked_from: { run_id: parent.runId, seq: 1 },
      status: 'paused',
      seq: 0,
      read_only: false,
    });
    expect(stateAt(space.journal, child.runId, 0)).toMatchObject({ states: [{ name: 'B', value: { n: 10 } }], next: 'B' });
    expect(await child.continue()).toMatchObject({ status: 'success', output: { n: 12 } });
    expect(JSON.stringify(detailOf(space.journal, parent.runId, 0))).toBe(before);
    const other = await fork(forkAt(parent.runId, 1, { drop: ['B'], states: [{ name: 'C', value: { n: 5 } }] }));
    expect(await other.continue()).toMatchObject({ output: { n: 6 } });
  });

  test('outlives its parent', async () => {
    const parent = await space.start(chain([adding, adding, adding]), { n: 1, long: 'x'.repeat(10_000) });
    await parent.step('into');
    parent.close();
    const child = await fork(forkAt(parent.runId, 0));
    space.journal.removeRun(parent.runId, 0);
    expect(await child.continue()).toMatchObject({ output: { n: 4 } });
  });

  test('continues with the current flow', async () => {
    const parent = await space.start(chain([adding, adding, adding]), { n: 1 });
    await parent.continue();
    space.write('test.flow.json', chain([adding, '({ n }) => ({ n: n * 100 })', adding]));
    const request = forkAt(parent.runId, 1, { flow: 'current' });
    expect((await planned(request)).check).toEqual({ misfits: [], notes: [], restarts: false, flow_changed: true, next: 'B' });
    expect(await (await fork(request)).continue()).toMatchObject({ output: { n: 201 } });
    expect(await (await fork(forkAt(parent.runId, 1))).continue()).toMatchObject({ output: { n: 4 } });
  });

  test('names every state that does not fit, with its path, before anything is made', async () => {
    const parent = await space.start(
      documentOf('A', 'D', [
        { kind: 'fork', from: 'A', to: ['B', 'C'] },
        { kind: 'join', from: ['B', 'C'], to: 'D', run: '(b, c) => [b, c]' },
      ]),
      { n: 1 },
    );
    await parent.step('into');
    const changed = documentOf('A', 'D', [
      { kind: 'fork', from: 'A', to: ['B', 'E'] },
      { kind: 'join', from: ['B', 'E'], to: 'D', run: '(b, c) => [b, c]' },
    ]) as Record<string, Json>;
    const schemas = { ...(changed.schemas as object), B: { type: 'object', properties: { n: { type: 'string' } } } };
    space.write('test.flow.json', { ...changed, schemas } as Json);
    const request = forkAt(parent.runId, 1, { flow: 'current' });
    const { check } = await planned(request);
    expect(check).toMatchObject({ next: null, flow_changed: true });
    expect(check.misfits.map(({ path, state }) => [path, state])).toEqual([
      ['/states/0/value/n', 'B'],
      ['/states/1/name', 'C'],
    ]);
    const runs = space.journal.rows({ limit: 100 }).length;
    await expect(fork(request)).rejects.toMatchObject({ variant: 'SnapLoadError', message: expect.stringContaining('and 1 more') });
    expect(space.journal.rows({ limit: 100 })).toHaveLength(runs);
    const fixed = forkAt(parent.runId, 1, {
      flow: 'current',
      drop: ['C'],
      states: [
        { name: 'B', value: { n: 'one' } },
        { name: 'E', value: 2 },
      ],
    });
    expect(await (await fork(fixed)).continue()).toMatchObject({ output: [{ n: 'one' }, 2] });
  });

  test('refuses a state with a known secret, a missing record and an unknown state', async () => {
    const parent = await space.start(chain([adding, adding, adding]), { n: 1 });
    const secrets = new Map([['KEY', 'a very secret value']]);
    const states = [{ name: 'A', value: { n: 'it is a very secret value' } }];
    await expect(planned(forkAt(parent.runId, 0, { states }), secrets)).rejects.toMatchObject({ variant: 'SecretInState' });
    await expect(planned(forkAt(parent.runId, 1))).rejects.toMatchObject({ variant: 'NotFound' });
    await expect(planned(forkAt(parent.runId, 0, { drop: ['X'] }))).rejects.toMatchObject({ variant: 'NotFound' });
    await expect(planned(forkAt(randomUUID(), 0))).rejects.toMatchObject({ variant: 'NotFound' });
    await expect(planned(forkAt(parent.runId, 0, { flow: 'current' }))).rejects.toMatchObject({ variant: 'Invalid' });
  });

  test('waits where its parent waited', async () => {
    const parent = await space.start(documentOf('A', 'B', [{ kind: 'suspend', from: 'A', to: 'B' }]), { n: 1 });
    await parent.continue();
    const child = await fork(forkAt(parent.runId, 1));
    const summary = summaryOf(space.journal, space.journal.row(child.runId), 0);
    expect(summary).toMatchObject({ status: 'suspended', suspensions: [{ tool_id: 'A::suspend' }] });
    expect(await child.resume('A::suspend', { n: 2 })).toMatchObject({ status: 'success', output: { n: 2 } });
  });
});

describe('a fork with steps in progress', () => {
  const asking = (agent: Json): Json => documentOf('A', 'B', [{ kind: 'agent', from: 'A', to: 'B', agent }]);
  const agent = { model: 'script://script.json', tools: ['ask_user'], prompt: 'Go on with {n}.' };
  const script: Json = { turns: [{ tool_calls: [{ tool: 'ask_user', input: { question: 'which?' } }] }, { output: { done: true } }] };

  const waitingAgent = async () => {
    space.write('script.json', script);
    const parent = await space.start(asking(agent), { n: 1 });
    expect(await parent.continue()).toMatchObject({ status: 'suspended' });
    return parent;
  };

  test('restarts an agent with a changed prompt, without its partial conversation and its question', async () => {
    const parent = await waitingAgent();
    space.write('test.flow.json', asking({ ...agent, prompt: 'Quite another one.' }));
    const request = forkAt(parent.runId, 2, { flow: 'current' });
    const { check } = await planned(request);
    expect(check).toMatchObject({
      misfits: [],
      next: 'A',
      restarts: true,
      notes: ['A was in progress and its definition has changed: it starts again.'],
    });
    const child = await fork(request);
    const reader = new RunReader(space.journal, space.journal.row(child.runId));
    expect(reader.history(0)).toEqual({});
    expect(reader.foldAt(0).control).toMatchObject({ agents: {}, suspensions: [], script_positions: { A: 0 } });
    await child.continue();
    expect(suspensionsOf(space.journal, child.runId)).toHaveLength(1);
    const said = new RunReader(space.journal, space.journal.row(child.runId)).conversation('A');
    expect(said[0]?.content).toEqual([{ type: 'text', text: 'Quite another one.' }]);
  });

  test('continues an agent of which only the limits changed, with its conversation', async () => {
    const parent = await waitingAgent();
    space.write('test.flow.json', asking({ ...agent, limits: { turns: 30 } }));
    const child = await fork(forkAt(parent.runId, 2, { flow: 'current' }));
    const [waiting] = suspensionsOf(space.journal, child.runId);
    expect(await child.resume(waiting?.tool_id ?? '', 'this one', { then_continue: true })).toMatchObject({ output: { done: true } });
  });

  test('restarts an agent whose input was edited', async () => {
    const parent = await waitingAgent();
    const { check } = await planned(forkAt(parent.runId, 2, { states: [{ name: 'A', value: { n: 2 } }] }));
    expect(check).toMatchObject({ next: 'A', notes: ['A was in progress and its A was edited: it starts again.'] });
  });

  test('an agent that is gone stays behind', async () => {
    const parent = await waitingAgent();
    space.write('test.flow.json', documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B' }]));
    const request = forkAt(parent.runId, 2, { flow: 'current' });
    expect((await planned(request)).check.notes).toHaveLength(1);
    expect(await (await fork(request)).continue()).toMatchObject({ output: { n: 1 } });
  });

  test('a fork of an agent in the middle keeps the ids of its calls apart from earlier ones', async () => {
    const turn = { tool_calls: [{ tool: 'transform', input: { data: 1, expression: '$' } }] };
    space.write('script.json', { turns: [turn, turn, turn, turn, { output: {} }] });
    const parent = await space.start(asking({ ...agent, tools: ['transform'] }), { n: 1 });
    await parent.continue();
    const child = await fork(forkAt(parent.runId, 2));
    await child.continue();
    const ids = new RunReader(space.journal, space.journal.row(child.runId))
      .conversation('A')
      .flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool_call' ? [part.tool_call_id] : [])));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(5);
  });
});

test("a fork's cost begins with that of its parent at the record", async () => {
  const model = 'script://turns.json';
  space.write('turns.json', { turns: [{ text: 'hi', usage: { tokens_in: 10, tokens_out: 2 } }] });
  const agent = { mode: 'chat', model, prompt: 'Say it' };
  const parent = await space.start(
    documentOf('A', 'C', [
      { kind: 'agent', from: 'A', to: 'B', agent },
      { kind: 'agent', from: 'B', to: 'C', agent },
    ]),
    {},
  );
  await parent.continue();
  const child = await fork(forkAt(parent.runId, 1));
  await child.continue();
  const prices = { [model]: { input: 1e6, output: 1e6 } };
  const costs = (runId: string) => [0, 1, 2].map((seq) => new RunReader(space.journal, space.journal.row(runId), prices).costAt(seq));
  expect(costs(parent.runId)).toEqual([0, 12, 24]);
  expect(costs(child.runId).slice(0, 2)).toEqual([12, 24]);
});
