import { afterEach, beforeEach, expect, test } from 'vitest';
import { nameInText } from '#main/debug/readable-failure.ts';
import type { Json } from '#shared/json.ts';
import { placeText } from '#shared/run/stop.ts';
import { framesAt } from './run-frames.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
afterEach(() => space.remove());
beforeEach(() => {
  space = new TestWorkspace();
  space.write(
    'inner.flow.json',
    documentOf('Item', 'Out', [
      { kind: 'work', from: 'Item', to: 'Half', title: 'Halve it', expr: 'input / 2' },
      { kind: 'suspend', from: 'Half', to: 'Out' },
    ]),
  );
  space.write('wrapped.flow.json', {
    ...(documentOf('Item', 'Out', []) as object),
    schemas: { Item: {}, Out: {} },
    nodes: [{ kind: 'flow', title: 'Price one', flow: './inner.flow.json' }],
  });
});

const orders = (): Json => ({
  ...(documentOf('A', 'Results', [
    { kind: 'work', from: 'A', to: 'Items' },
    { kind: 'each', from: 'Items', to: 'Results', title: 'Price all', flow: './wrapped.flow.json' },
  ]) as object),
  schemas: { A: {}, Items: { type: 'array', items: {} }, Results: { type: 'array', items: {} } },
});

test('frames name the file, node, title and item at every level, now and at each record', async () => {
  const executor = await space.start(orders(), [2, 4, 6]);
  const { runId } = executor;
  expect(framesAt(space.journal, runId)).toEqual([{ flow: 'test.flow.json', node: 'A', title: 'A', kind: 'work' }]);
  await executor.continue();
  const all = { flow: 'test.flow.json', node: 'Items', title: 'Price all', kind: 'each', item: { index: 0, of: 3 } };
  const one = { flow: 'wrapped.flow.json', node: 'Item', title: 'Price one', kind: 'flow' };
  const halved = [all, one, { flow: 'inner.flow.json', node: 'Item', title: 'Halve it', kind: 'work' }];
  expect(framesAt(space.journal, runId, 2)).toEqual(halved);
  expect(placeText(halved)).toBe('Price all › item 1 of 3 › Price one › Halve it');
  // The suspend node waits; its question has no tool call of its own.
  expect(framesAt(space.journal, runId)).toEqual([all, one, { flow: 'inner.flow.json', node: 'Half', title: 'Half', kind: 'suspend' }]);
  const { tool_id, tool_call_id } = JSON.parse(String(space.journal.row(runId).suspensions))[0] as Record<string, string>;
  await executor.resume(tool_id as string, 1, { tool_call_id });
  expect(placeText(framesAt(space.journal, runId, undefined, nameInText))).toBe('Price all › item 2 of 3 › Price one › Halve it');
  // Before its first record, the run is at the node that fires first.
  expect(framesAt(space.journal, runId, 0)).toEqual([{ flow: 'test.flow.json', node: 'A', title: 'A', kind: 'work' }]);
  expect(() => framesAt(space.journal, runId, 99)).toThrow('has no step 99');
});

test('an agent in progress shows its turn, its phase and the call that waits', async () => {
  const agent = { model: 'script://turns.json', tools: ['ask_user'] };
  space.write('turns.json', { turns: [{ tool_calls: [{ tool: 'ask_user', input: { question: 'Which?' } }] }, { output: 'done' }] });
  const executor = await space.start(documentOf('A', 'B', [{ kind: 'agent', from: 'A', to: 'B', agent }]), 'go');
  const { runId } = executor;
  await executor.step('into');
  expect(framesAt(space.journal, runId)).toMatchObject([{ node: 'A', phase: 'act', turn: 1 }]);
  await executor.step('into');
  expect(framesAt(space.journal, runId)).toMatchObject([{ node: 'A', call: { tool: 'ask_user' } }]);
  expect(framesAt(space.journal, runId, 1)).toMatchObject([{ node: 'A', phase: 'reason', turn: 1 }]);
});

test('a run of an older version, whose graph has no origins, shows its ids', async () => {
  const executor = await space.start(orders(), [2]);
  await executor.step('into');
  await executor.step('into');
  const graph = space.journal.graphOf.bind(space.journal);
  const stripped = (value: Json): Json =>
    JSON.parse(JSON.stringify(value, (key, each: Json) => (key === 'origin' || key === 'source' ? undefined : each)));
  space.journal.graphOf = (row) => stripped(graph(row) as unknown as Json) as unknown as ReturnType<typeof graph>;
  expect(framesAt(space.journal, executor.runId, 2)).toEqual([
    { flow: '', node: 'Items', title: 'Price all', kind: 'each', item: { index: 0, of: 1 } },
    { flow: '', node: 'Item', title: 'Halve it', kind: 'work' },
  ]);
});
