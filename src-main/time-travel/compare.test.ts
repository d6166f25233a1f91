import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { documentOf, TestWorkspace } from '#main/runner/testing.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { ForkRequest } from '#shared/contract/time-travel.ts';
import type { Json } from '#shared/json.ts';
import { compareRuns, compareSteps } from './compare.ts';
import { makeFork, planFork } from './fork.ts';
import { forkAt } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

const here = (runId: string) => ({ journal: space.journal, runId });
const lines = (first: string, second: string) => {
  const { steps, ...rest } = compareRuns(here(first), here(second));
  return { ...rest, steps: steps.map(({ seq, other_seq, node, differs }) => [seq, other_seq, node, ...differs]) };
};

const loop: Json = documentOf('A', 'D', [
  { kind: 'either', from: 'A', to: ['B', 'C'], expr: 'n < 3' },
  { kind: 'work', from: 'B', to: 'A', expr: '{ n: n + 1 }' },
  { kind: 'work', from: 'C', to: 'D' },
]);

test('two runs are put beside each other where they go the same way, and the first difference is marked', async () => {
  const one = await space.start(loop, { n: 1 });
  const other = await space.start(loop, { n: 2 });
  await Promise.all([one.continue(), other.continue()]);
  const same = lines(one.runId, one.runId);
  expect(same).toMatchObject({ first_divergence: null, differing: 0, total: 7 });
  const { steps, first_divergence, shared } = lines(one.runId, other.runId);
  expect([first_divergence, shared]).toEqual([0, null]);
  expect(steps).toEqual([
    [0, 0, '', 'states'],
    [1, 1, 'A', 'states'],
    [2, 2, 'B', 'states'],
    [3, 3, 'A', 'states'],
    [4, null, 'B', 'missing'],
    [5, null, 'A', 'missing'],
    [6, 4, 'C'],
  ]);
  expect(compareSteps(here(one.runId), 1, here(other.runId), 1).states).toEqual([
    { name: 'B', changes: [{ path: '/n', before: 1, after: 2 }] },
  ]);
  expect(compareSteps(here(one.runId), 3, here(other.runId), null).states).toEqual([
    { name: 'B', changes: [{ path: '', before: { n: 2 } }] },
  ]);
});

test('a fork is compared with its parent from the record on at which it began', async () => {
  const parent = await space.start(loop, { n: 1 });
  await parent.continue();
  const fork = async (request: ForkRequest) => {
    const options = { folder: space.folder, trusted: false, settings: defaultSettings };
    const runId = makeFork(space.journal, await planFork(space.journal, request, options), randomUUID(), 1);
    await RunExecutor.open(await space.options(), runId).continue();
    return runId;
  };
  const plain = await fork(forkAt(parent.runId, 2));
  expect(lines(parent.runId, plain)).toMatchObject({ shared: { seq: 2, other_seq: 0 }, first_divergence: null, total: 5 });
  expect(lines(plain, parent.runId)).toMatchObject({ shared: { seq: 0, other_seq: 2 }, first_divergence: null });
  const edited = await fork(forkAt(parent.runId, 2, { states: [{ name: 'A', value: { n: 5 } }] }));
  const { steps, first_divergence } = lines(plain, edited);
  expect(first_divergence).toBe(0);
  expect(steps[0]).toEqual([0, 0, '', 'states']);
  expect(compareSteps(here(parent.runId), 2, here(edited), 0).states).toEqual([
    { name: 'A', changes: [{ path: '/n', before: 2, after: 5 }] },
  ]);
});

test('compares effects by input and outcome, and conversations without call ids', async () => {
  const agent = { model: 'script://script.json', tools: ['write_file'], prompt: 'Write {n}.' };
  const document = documentOf('A', 'B', [{ kind: 'agent', from: 'A', to: 'B', agent }]);
  const run = async (content: string, input: Json) => {
    const call = { tool: 'write_file', input: { path: 'a.txt', content } };
    space.write('script.json', { turns: [{ tool_calls: [call] }, { output: { done: true } }] });
    const executor = await space.start(document, input);
    await executor.continue();
    return executor.runId;
  };
  const [one, again, other, prompted] = [
    await run('x', { n: 1 }),
    await run('x', { n: 1 }),
    await run('yy', { n: 1 }),
    await run('x', { n: 2 }),
  ];
  expect(lines(one, again)).toMatchObject({ first_divergence: null });
  const { steps } = lines(one, other);
  expect(steps).toEqual([
    [0, 0, ''],
    [1, 1, 'A', 'effects', 'messages'],
    [2, 2, 'A', 'effects', 'messages'],
    [3, 3, 'A'],
    [4, 4, 'A'],
  ]);
  expect(compareSteps(here(one), 2, here(other), 2).effects).toMatchObject([
    {
      kind: 'tool',
      name: 'write_file',
      in: 'both',
      input: [{ path: '/content', before: 'x', after: 'yy' }],
      outcome: [{ path: '/result/result/bytes', before: 1, after: 2 }],
    },
  ]);
  const { messages } = compareSteps(here(one), 1, here(prompted), 1);
  expect(messages).toEqual([{ path: '/A/0/content/0/text', before: 'Write 1.', after: 'Write 2.' }]);
});
