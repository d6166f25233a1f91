import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Tool } from '#main/engine/ports/tool.ts';
import { flowOf, work as passes, suspend } from '#main/engine/testing/flows.ts';
import { soundFlow } from '#main/engine/testing/random-flow.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { documentOf, TestWorkspace } from '#main/runner/testing.ts';
import type { FlowEnvironmentOptions } from '#main/workspace/flow-environment.ts';
import { loadFlowText } from '#main/workspace/flow-loader.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { FlowChoice } from '#shared/contract/time-travel.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { makeFork, planFork } from './fork.ts';
import { replayRun } from './replay.ts';
import { driveToEnd, forkAt, startGraph } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

let options: FlowEnvironmentOptions;
beforeEach(() => {
  options = { folder: space.folder, trusted: false, settings: defaultSettings };
});

const replay = (runId: string, choice: FlowChoice = 'recorded') => replayRun(space.journal, runId, choice, options);

/** Changes what is on record of a run's effects. */
function tamper(runId: string, seq: number, change: (outcome: string) => string): void {
  const { run } = space.journal.row(runId);
  const rows = space.journal.database
    .prepare("SELECT key, outcome FROM effects WHERE run = ? AND seq = ? AND kind <> 'handler'")
    .all(run, seq);
  for (const { key, outcome } of rows as { key: string; outcome: string }[]) {
    space.journal.database
      .prepare('UPDATE effects SET outcome = ? WHERE run = ? AND seq = ? AND key = ?')
      .run(change(outcome), run, seq, key);
  }
}

test('any run comes out the same from its record, and a changed outcome is found at its step', async () => {
  let effects = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0 }), fc.integer({ min: 0, max: 5 }), async (flow, n) => {
      const executor = await startGraph(space, soundFlow(flow), { n, path: [] });
      await driveToEnd(space.journal, executor);
      executor.close();
      // Its models are gone: nothing of them is needed.
      for (const script of ['script.json', 'calls.json']) rmSync(join(space.folder, script));
      const { last_seq } = space.journal.row(executor.runId);
      const report = await replay(executor.runId);
      expect(report).toMatchObject({ divergence: null, steps: last_seq, total: last_seq, notes: [] });
      effects += report.effects;
      const { seq } = space.journal.database
        .prepare("SELECT max(seq) AS seq FROM effects WHERE run = ? AND kind = 'model' AND seq <= ?")
        .get(space.journal.row(executor.runId).run, last_seq) as { seq: number | null };
      if (seq === null) return;
      tamper(executor.runId, seq, (outcome) =>
        outcome.replace(/"(one|two)\?"|think|"agent"|"called"|"first"/, (text) => text.replace(/[a-z]/, 'X')),
      );
      expect((await replay(executor.runId)).divergence).toMatchObject({ seq });
    }),
    { seed: 5, numRuns: 9 },
  );
  expect(effects).toBeGreaterThan(5);
}, 60_000);

test('a fork that begins where its parent had ended, or waits, comes out the same; with another end it does not', async () => {
  const ended = await startGraph(space, flowOf([passes('A', 'Z')]), { n: 1 });
  await driveToEnd(space.journal, ended);
  const waits = await startGraph(space, flowOf([suspend('A', 'Z')]), { n: 1 });
  await waits.continue();
  for (const parent of [ended, waits]) {
    parent.close();
    const planned = await planFork(space.journal, forkAt(parent.runId, 1), options);
    const fork = makeFork(space.journal, planned, `fork of ${parent.runId}`, 1);
    const opened = RunExecutor.open(await space.options(), fork);
    await opened.continue().catch(() => {});
    opened.close();
    expect(await replay(fork)).toMatchObject({ divergence: null, steps: 0, total: 0 });
  }
  space.journal.database.prepare("UPDATE runs SET output = '7' WHERE run_id LIKE 'fork of %' AND status = 'success'").run();
  expect((await replay(`fork of ${ended.runId}`)).divergence).toMatchObject({ what: 'end', path: '/output' });
});

describe('nothing outside happens', () => {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end('{"ok":true}');
  });
  beforeEach(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)));
  afterEach(() => new Promise((closed) => server.close(closed)));

  test('no request, no file, no tool of the host', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/once`;
    let calls = 0;
    const own: Tool = {
      name: 'count',
      description: '',
      input_schema: { type: 'object' },
      effect: 'read',
      approve: 'never',
      call: () => {
        calls += 1;
        return calls;
      },
    };
    const document = documentOf('A', 'E', [
      { kind: 'work', from: 'A', to: 'B', tool: 'http_request', with: { url, method: 'GET', allow_private: true } },
      { kind: 'work', from: 'B', to: 'C', tool: 'write_file', with: { path: 'out.txt', content: 'written' } },
      { kind: 'work', from: 'C', to: 'D', tool: 'read_file', with: { path: 'out.txt' } },
      { kind: 'work', from: 'D', to: 'E', run: '(d, ctx) => ctx.tools.count({})', tools: ['count'] },
    ]);
    const built = loadFlowText(JSON.stringify(document), 'test.flow.json', { ...options, tools: ['count'] });
    const { context, ...rest } = await space.options([own]);
    const reaching = { ...context, allow_hosts: ['127.0.0.1'], allow_private: ['127.0.0.1'] };
    const run = { graph: built.graph as FlowGraph, flow_path: 'test.flow.json', flow_text: JSON.stringify(document), input: {} };
    const executor = RunExecutor.start({ ...rest, context: reaching }, run);
    expect(await executor.continue()).toMatchObject({ status: 'success', output: 1 });
    expect([hits.length, calls]).toEqual([1, 1]);
    const before = [hits.length, calls];
    rmSync(join(space.folder, 'out.txt'), { force: true });
    const report = await replay(executor.runId);
    expect(report.divergence).toBeNull();
    expect(report.effects).toBeGreaterThanOrEqual(4);
    expect([hits.length, calls, existsSync(join(space.folder, 'out.txt'))]).toEqual([...before, false]);
  });
});

const work = (from: string, to: string, body: Record<string, Json>): Json => ({ kind: 'work', from, to, ...body });

describe('with the flow as its file is now', () => {
  test('reports the first different record with the path of the difference', async () => {
    const flow = (second: string) =>
      documentOf('A', 'D', [work('A', 'B', { expr: '{ n: n + 1 }' }), work('B', 'C', { expr: second }), work('C', 'D', {})]);
    const executor = await space.start(flow('{ list: [n, n * 2] }'), { n: 1 });
    await executor.continue();
    space.write('test.flow.json', flow('{ list: [n, n * 2] }'));
    expect((await replay(executor.runId, 'current')).divergence).toBeNull();
    space.write('test.flow.json', flow('{ list: [n, n * 3] }'));
    expect(await replay(executor.runId, 'current')).toMatchObject({
      steps: 1,
      total: 3,
      divergence: { seq: 2, what: 'states', node: 'B', path: '/C/list/1', expected: 4, actual: 6 },
    });
    expect((await replay(executor.runId)).divergence).toBeNull();
  });

  test('reports another path through the flow as a node difference', async () => {
    const flow = (condition: string) =>
      documentOf('A', 'D', [{ kind: 'either', from: 'A', to: ['B', 'C'], expr: condition }, work('B', 'D', {}), work('C', 'D', {})]);
    const executor = await space.start(flow('n > 1'), { n: 1 });
    await executor.continue();
    space.write('test.flow.json', flow('n > 0'));
    expect((await replay(executor.runId, 'current')).divergence).toMatchObject({ seq: 1, what: 'states', path: '/C' });
  });

  test('reports a new, missing or changed call as an effect difference', async () => {
    const flow = (...nodes: Json[]) => documentOf('A', 'C', nodes);
    const write = (content: string) => work('A', 'B', { tool: 'write_file', with: { path: 'a.txt', content } });
    const executor = await space.start(flow(write('one'), work('B', 'C', {})), {});
    await executor.continue();
    const divergence = async (...nodes: Json[]) => {
      space.write('test.flow.json', flow(...nodes));
      return (await replay(executor.runId, 'current')).divergence;
    };
    expect(await divergence(write('two'), work('B', 'C', {}))).toMatchObject({
      seq: 1,
      what: 'effect',
      path: '/write_file/input/content',
      expected: 'one',
      actual: 'two',
    });
    expect(await divergence(work('A', 'B', { expr: "{ path: 'a.txt', bytes: 3 }" }), work('B', 'C', {}))).toMatchObject({
      seq: 1,
      what: 'effect',
      expected: { name: 'write_file' },
    });
    const second = work('B', 'C', { tool: 'read_file', with: { path: 'a.txt' } });
    expect(await divergence(write('one'), second)).toMatchObject({ seq: 2, what: 'effect', message: expect.stringContaining('read_file') });
  });

  test('reports a changed prompt by the message that differs', async () => {
    const flow = (prompt: string) =>
      documentOf('A', 'B', [{ kind: 'agent', from: 'A', to: 'B', agent: { model: 'script://script.json', prompt } }]);
    space.write('script.json', { turns: [{ output: { n: 1 } }] });
    const executor = await space.start(flow('Say {n}.'), { n: 1 });
    await executor.continue();
    space.write('test.flow.json', flow('Tell {n}.'));
    expect((await replay(executor.runId, 'current')).divergence).toMatchObject({
      what: 'messages',
      path: '/A/0/content/0/text',
      expected: 'Say 1.',
      actual: 'Tell 1.',
    });
  });

  test('reports a state unknown to the flow before replaying', async () => {
    const executor = await space.start(documentOf('A', 'B', [work('A', 'B', {})]), { n: 1 });
    await executor.continue();
    space.write('test.flow.json', documentOf('X', 'B', [work('X', 'B', {})]));
    expect(await replay(executor.runId, 'current')).toMatchObject({ steps: 0, divergence: { what: 'flow', path: '/states/0/name' } });
  });
});

describe('a replay uses recorded questions and refusals', () => {
  const agent = (...tools: Json[]) =>
    documentOf('A', 'B', [{ kind: 'agent', from: 'A', to: 'B', agent: { model: 'script://script.json', tools } }]);

  test('an edited approval, a refusal by a person and one by the rules come out the same', async () => {
    const call = (path: string): Json => ({ tool_calls: [{ tool: 'write_file', input: { path, content: 'x' } }] });
    space.write('script.json', { turns: [call('a.txt'), call('b.txt'), call('../out.txt'), { output: { done: true } }] });
    const executor = await space.start(agent({ use: 'write_file', approve: 'always' }), {});
    const approve = async (payload: Json) => {
      const row = space.journal.row(executor.runId);
      const [waiting] = new RunReader(space.journal, row).foldAt(row.last_seq).control.suspensions;
      return executor.resume('A::write_file', payload, { tool_call_id: waiting?.tool_call_id ?? '', then_continue: true });
    };
    expect(await executor.continue()).toMatchObject({ status: 'suspended' });
    expect(await approve({ approve: true, input: { path: 'a.txt', content: 'y' } })).toMatchObject({ status: 'suspended' });
    expect(await approve({ approve: false, reason: 'not that one' })).toMatchObject({ status: 'success' });
    rmSync(join(space.folder, 'a.txt'));
    expect(await replay(executor.runId)).toMatchObject({ divergence: null });
  });

  test('a failed run fails again, and a success is reported as a difference', async () => {
    const flow = (source: string) => documentOf('A', 'C', [work('A', 'B', {}), work('B', 'C', { run: source })]);
    const executor = await space.start(flow("() => { throw new Error('no') }"), {});
    expect(await executor.continue()).toMatchObject({ status: 'error' });
    expect((await replay(executor.runId)).divergence).toBeNull();
    space.write('test.flow.json', flow('(b) => b'));
    expect((await replay(executor.runId, 'current')).divergence).toMatchObject({
      seq: 2,
      what: 'end',
      expected: { variant: 'HandlerError' },
    });
  });

  test('replays a failed step from its recorded attempt', async () => {
    const document = documentOf('A', 'B', [work('A', 'B', { tool: 'read_file', with: { path: 'late.txt' } })]);
    const executor = await space.start(document, {});
    expect(await executor.continue()).toMatchObject({ status: 'error' });
    expect((await replay(executor.runId)).divergence).toBeNull();
    space.write('late.txt', 'here');
    expect(await executor.continue()).toMatchObject({ status: 'success', output: 'here' });
    expect(await replay(executor.runId)).toMatchObject({ divergence: null, effects: 1 });
  });
});

test('reports a controller that now decides otherwise, and asks one that reads the time with the time on record', async () => {
  const waiting: Tool = {
    name: 'pause',
    description: 'Waits.',
    input_schema: { type: 'object' },
    effect: 'read',
    approve: 'never',
    call: async () => {
      for (const begun = Date.now(); Date.now() < begun + 3; ) await new Promise(setImmediate);
      return 'waited';
    },
  };
  const textWith = (expr: string) => {
    const agent = { model: 'script://steered.json', prompt: 'go', tools: ['pause'], control: { expr } };
    return JSON.stringify(documentOf('A', 'B', [{ kind: 'agent', from: 'A', to: 'B', agent }]));
  };
  const byTime = "point == 'after_tools' && seconds > 0 ? 'conclude' : 'continue'";
  space.write('steered.json', { turns: [{ tool_calls: [{ tool: 'pause', input: {} }] }, { output: 'over' }] });
  space.write('test.flow.json', JSON.parse(textWith(byTime)) as Json);
  options = { ...options, tools: ['pause'] };
  const built = loadFlowText(textWith(byTime), 'test.flow.json', options);
  const run = { graph: built.graph as FlowGraph, flow_path: 'test.flow.json', flow_text: textWith(byTime), input: {} };
  const executor = RunExecutor.start(await space.options([waiting]), run);
  expect(await executor.continue()).toMatchObject({ status: 'success' });
  executor.close();
  expect((await replay(executor.runId)).divergence).toBeNull();
  space.write('test.flow.json', JSON.parse(textWith("'continue'")) as Json);
  expect((await replay(executor.runId, 'current')).divergence).toMatchObject({
    seq: 2,
    what: 'effect',
    node: 'A',
    path: '/control/result/do',
    expected: 'conclude',
    actual: 'continue',
  });
});

test('a plan with typed steps comes out the same from its record, with the time at which the plan was made', async () => {
  const steps = { look: { agent: { model: 'script://look.json' } }, tell: { flow: './tell.flow.json' } };
  const fixed = [
    { name: 'one', type: 'look', input: 'Look.', needs: [] },
    { name: 'two', type: 'tell', input: { n: 1 }, needs: ['one'] },
  ];
  space.write('look.json', { turns: [{ text: 'seen' }] });
  space.write('plan.json', { turns: [{ output: 'over' }] });
  space.write('tell.flow.json', documentOf('I', 'O', [{ kind: 'work', from: 'I', to: 'O', expr: 'n' }]) as Json);
  const agent = { model: 'script://plan.json', mode: 'plan', plan: { steps, fixed } };
  const text = JSON.stringify(documentOf('A', 'B', [{ kind: 'agent', from: 'A', to: 'B', agent }]));
  const built = loadFlowText(text, 'test.flow.json', options);
  const run = { graph: built.graph as FlowGraph, flow_path: 'test.flow.json', flow_text: text, input: {} };
  const executor = RunExecutor.start(await space.options(), run);
  expect(await executor.continue()).toMatchObject({ status: 'success', output: 'over' });
  const { last_seq } = space.journal.row(executor.runId);
  const events = new RunReader(space.journal, space.journal.row(executor.runId)).events(0);
  const steady = [...events].flatMap((event) => ('node' in event && event.node?.includes('A::wave[') ? [event.step_name] : []));
  expect(new Set(steady)).toEqual(new Set(['one', 'two']));
  executor.close();
  expect(await replay(executor.runId)).toMatchObject({ divergence: null, steps: last_seq, total: last_seq });
});
