import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Json } from '#shared/json.ts';
import { RunExecutor } from './run-executor.ts';
import { detailOf, stateAt } from './run-views.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
  const list = { type: 'array', items: {} };
  space.write('item.flow.json', {
    ...(documentOf('Item', 'Out', [
      { kind: 'work', from: 'Item', to: 'Mid', expr: 'input + 1' },
      { kind: 'work', from: 'Mid', to: 'Out', expr: 'input * 2' },
    ]) as object),
  } as Json);
  document = {
    ...(documentOf('A', 'Results', [
      { kind: 'work', from: 'A', to: 'Items' },
      { kind: 'each', from: 'Items', to: 'Results', flow: './item.flow.json' },
    ]) as object),
    schemas: { A: {}, Items: list, Results: list },
  } as Json;
});
afterEach(() => space.remove());
let document: Json;

test('a step over an each node goes to its end, one into it to the first inner node, one out of there to the end of the item', async () => {
  const over = await space.start(document, [1, 2]);
  await over.step('into');
  expect(await over.step('over')).toMatchObject({ status: 'success', output: [4, 6] });

  const executor = await space.start(document, [1, 2]);
  await executor.step('into');
  await executor.step('into');
  expect(stateAt(space.journal, executor.runId, 2)).toMatchObject({ states: [{ name: 'Items', value: [1, 2] }], next: 'Items' });
  await executor.step('over');
  const row = () => space.journal.row(executor.runId).last_seq;
  expect(row()).toBe(3);
  expect(await executor.step('out')).toMatchObject({ status: 'paused' });
  expect(row()).toBe(5);
  expect(await executor.step('over')).toMatchObject({ status: 'success', output: [4, 6] });
});

test('a run reopened inside an each node continues there without changing the outer state map', async () => {
  const first = await space.start(document, [1, 2]);
  for (let step = 0; step < 3; step += 1) await first.step('into');
  first.close();
  const second = RunExecutor.open(await space.options(), first.runId);
  expect(await second.continue()).toMatchObject({ status: 'success', output: [4, 6] });
  const { timeline } = detailOf(space.journal, first.runId, 0);
  expect(timeline.entries.map(({ node, kind, consumed, produced, note }) => [node, kind, consumed, produced, note])).toEqual([
    ['A', 'work', ['A'], ['Items'], ''],
    ['Items[0]::Item', 'work', [], [], 'Item → Mid'],
    ['Items[0]::Mid', 'work', [], [], 'Mid → Out'],
    ['Items[1]::Item', 'work', [], [], 'Item → Mid'],
    ['Items[1]::Mid', 'work', [], [], 'Mid → Out'],
    ['Items', 'each', ['Items'], ['Results'], ''],
  ]);
});

test('readers get the values that inner nodes took and gave', async () => {
  await (await space.start(document, [1])).continue();
  const exits = space.events.filter((event) => event.type === 'node_exit');
  expect(exits.map(({ node, consumed, produced }) => [node, consumed, produced])).toEqual([
    ['A', { A: [1] }, { Items: [1] }],
    ['Items[0]::Item', { Item: 1 }, { Mid: 2 }],
    ['Items[0]::Mid', { Mid: 2 }, { Out: 4 }],
    ['Items', { Items: [1] }, { Results: [4] }],
  ]);
});

test('the state map shows the current item of an each node, its inner states and the next inner node', async () => {
  const executor = await space.start(document, [5, 7]);
  const items = (seq: number) => stateAt(space.journal, executor.runId, seq).items;
  await executor.continue();
  expect(items(1)).toEqual([]);
  expect(items(2)).toEqual([{ node: 'Items', index: 0, of: 2, states: [{ name: 'Mid', value: 6 }], next: 'Items[0]::Mid' }]);
  expect(items(3)).toEqual([{ node: 'Items', index: 1, of: 2, states: [], next: 'Items[1]::Item' }]);
  expect(items(5)).toEqual([{ node: 'Items', index: 2, of: 2, states: [], next: null }]);
  expect(items(6)).toEqual([]);
});

test('inside an each node inside another, the list is a state of the outer item', async () => {
  const rows = { type: 'array', items: { type: 'array', items: {} } };
  const list = { type: 'array', items: {} };
  space.write('row.flow.json', {
    ...(documentOf('Row', 'Sums', [
      { kind: 'work', title: 'Take the cells', from: 'Row', to: 'Cells' },
      { kind: 'each', from: 'Cells', to: 'Sums', flow: './item.flow.json' },
    ]) as object),
    schemas: { Row: list, Cells: list, Sums: list },
  } as Json);
  const outer = {
    ...(documentOf('Rows', 'Results', [
      { kind: 'each', title: 'All rows', from: 'Rows', to: 'Results', flow: './row.flow.json' },
    ]) as object),
    schemas: { Rows: rows, Results: rows },
  } as Json;
  const executor = await space.start(outer, [[1, 2, 3]]);
  await executor.step('into');
  await executor.step('into');
  expect(stateAt(space.journal, executor.runId, 2).items).toEqual([
    { node: 'Rows', index: 0, of: 1, states: [{ name: 'Cells', value: [1, 2, 3] }], next: 'Rows[0]::Cells' },
    { node: 'Rows[0]::Cells', index: 0, of: 3, states: [{ name: 'Mid', value: 2 }], next: 'Rows[0]::Cells[0]::Mid' },
  ]);
  expect(detailOf(space.journal, executor.runId, 0).titles).toEqual({
    'Rows[]::Row': 'Take the cells',
    'Rows[]::Cells': 'Cells',
    'Rows[]::Cells[]::Item': 'Item',
    'Rows[]::Cells[]::Mid': 'Mid',
  });
});
