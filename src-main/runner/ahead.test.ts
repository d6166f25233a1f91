import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelClients } from '#main/engine/ports/model-client.ts';
import { replayRun } from '#main/time-travel/replay.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Json } from '#shared/json.ts';
import { RunExecutor } from './run-executor.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
  space.write('script.json', { turns: [{ output: { answer: 1 } }] });
});
afterEach(() => space.remove());

const agent = { model: 'script://script.json' };
const document = (parallel?: Json): Json => ({
  ...(documentOf('A', 'Z', [
    { kind: 'fork', from: 'A', to: ['B', 'C', 'D'] },
    { kind: 'agent', from: 'B', to: 'B1', agent },
    { kind: 'agent', from: 'C', to: 'C1', agent },
    { kind: 'agent', from: 'D', to: 'D1', agent },
    { kind: 'join', from: ['B1', 'C1'], to: 'E', run: '(left, right) => [left, right]' },
    { kind: 'join', from: ['E', 'D1'], to: 'Z', run: '(left, right) => [left, right]' },
  ]) as object),
  ...(parallel !== undefined && { parallel }),
});

/** The executor of a new run whose model calls take a while; `most` were in progress at once. */
async function started(parallel?: Json, flow = document(parallel)) {
  const run = await space.start(flow, {});
  run.close();
  const options = await space.options();
  const counts = { now: 0, most: 0, calls: 0 };
  const models: ModelClients = async (url) => {
    const inner = await options.context.models(url);
    return {
      complete: async (request) => {
        counts.calls += 1;
        counts.now += 1;
        counts.most = Math.max(counts.most, counts.now);
        for (let turn = 0; turn < 60; turn += 1) await new Promise(setImmediate);
        counts.now -= 1;
        return inner.complete(request);
      },
    };
  };
  const open = (breakpoints: readonly Breakpoint[] = []) =>
    RunExecutor.open({ ...options, breakpoints, context: { ...options.context, models } }, run.runId);
  return { open, counts, runId: run.runId };
}

const nodes = (runId: string): unknown[] =>
  space.journal.database.prepare('SELECT node FROM steps WHERE run = ? ORDER BY seq').all(space.journal.row(runId).run);

test('continuing a run overlaps the model calls of its branches, and its records replay', async () => {
  const { open, counts, runId } = await started();
  const executor = open();
  expect(await executor.continue()).toMatchObject({ status: 'success' });
  executor.close();
  expect(counts).toMatchObject({ most: 3, calls: 3 });
  const alone = await started({ ahead: 1 });
  const other = alone.open();
  expect(await other.continue()).toMatchObject({ status: 'success' });
  other.close();
  expect(alone.counts.most).toBe(1);
  expect(nodes(runId)).toEqual(nodes(alone.runId));
  expect(space.journal.database.prepare('SELECT * FROM ahead_effects').all()).toEqual([]);
  const loading = { folder: space.folder, trusted: false, settings: defaultSettings };
  expect(await replayRun(space.journal, runId, 'recorded', loading)).toMatchObject({ divergence: null, effects: 3 });
});

test('five replicas of an agent ask their models at once', async () => {
  const redundant = { ...agent, mode: 'redundant', redundant: { replicas: 5, vote: 'majority' } };
  const flow = (parallel?: Json): Json => ({
    ...(documentOf('A', 'Z', [{ kind: 'agent', from: 'A', to: 'Z', agent: redundant }]) as object),
    ...(parallel !== undefined && { parallel }),
  });
  const { open, counts } = await started(undefined, flow());
  const executor = open();
  expect(await executor.continue()).toMatchObject({ status: 'success' });
  executor.close();
  expect(counts).toMatchObject({ most: 5, calls: 5 });
  const alone = await started(undefined, flow({ ahead: 1 }));
  const other = alone.open();
  expect(await other.continue()).toMatchObject({ status: 'success' });
  other.close();
  expect(alone.counts).toMatchObject({ most: 1, calls: 5 });
});

test('steps and runs with breakpoints begin nothing before its turn', async () => {
  const stepped = await started();
  const executor = stepped.open();
  while ((await executor.step('into')).status === 'paused');
  executor.close();
  expect(stepped.counts.most).toBe(1);
  const stopped = await started();
  const other = stopped.open([{ kind: 'before', id: 'd', flow: 'test.flow.json', node: 'D' }]);
  await other.continue();
  other.close();
  expect(stopped.counts.most).toBe(1);
});

test('a pause lets calls in progress finish, and continuing makes none of them again', async () => {
  const { open, counts } = await started();
  const executor = open();
  const driven = executor.continue();
  while (counts.calls < 3) await new Promise(setImmediate);
  executor.pause();
  expect(await driven).toMatchObject({ status: 'paused' });
  executor.close();
  expect(counts).toMatchObject({ now: 0, calls: 3 });
  const again = open();
  expect(await again.continue()).toMatchObject({ status: 'success' });
  again.close();
  expect(counts.calls).toBe(3);
});
