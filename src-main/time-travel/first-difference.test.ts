import { afterEach, beforeEach, expect, test } from 'vitest';
import { documentOf, TestWorkspace } from '#main/runner/testing.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Json } from '#shared/json.ts';
import { firstDifference } from './first-difference.ts';
import { planFork } from './fork.ts';
import { forkAt } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

const chain = (...bodies: readonly string[]): Json =>
  documentOf(
    'A',
    'ABCDE'[bodies.length] as string,
    bodies.map((run, at) => ({ kind: 'work', from: 'ABCD'[at] as string, to: 'BCDE'[at] as string, run })),
  );
const add = '({ n }) => ({ n: n + 1 })';

async function compared(current: Json, seq: number, patience?: number) {
  const executor = await space.start(chain(add, add, add, '() => { throw new Error("no") }'), { n: 1 });
  expect(await executor.continue()).toMatchObject({ status: 'error' });
  executor.close();
  space.write('test.flow.json', current);
  const options = { folder: space.folder, trusted: false, settings: defaultSettings };
  const { run } = await planFork(space.journal, forkAt(executor.runId, seq, { flow: 'current' }), options);
  return firstDifference(space.journal, { run_id: executor.runId, seq, graph: run.graph }, patience);
}

test('names the record before a fork that would have another result with the edited flow', async () => {
  expect(await compared(chain(add, '({ n }) => ({ n: n * 2 + 1 })', add, add), 3)).toMatchObject({
    same: 1,
    of: 3,
    divergence: { seq: 2, what: 'states', node: 'B', path: '/C/n', expected: 3, actual: 5 },
  });
});

test('ignores what the edit changes after the fork, and how the run ended', async () => {
  expect(await compared(chain(add, add, add, '() => ({ n: 0 })'), 3)).toEqual({ same: 3, of: 3, divergence: null });
  expect(await compared(chain(add, add, '() => ({ n: 0 })', add), 2)).toEqual({ same: 2, of: 2, divergence: null });
});

test('takes an unchanged flow as the same without a replay', async () => {
  const same = chain(add, add, add, '() => { throw new Error("no") }');
  expect(await compared(same, 3)).toEqual({ same: 3, of: 3, divergence: null });
});
