import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunDriver } from '#main/driver/run-driver.ts';
import { detailOf, stateAt } from '#main/driver/run-views.ts';
import { documentOf, TestWorkspace } from '#main/driver/testing.ts';
import type { Json } from '#shared/json.ts';

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

test('a step over an each node goes to its end, one into it to the first inner node, one out of there to its end', async () => {
  const over = await space.start(document, [1, 2]);
  await over.step('into');
  expect(await over.step('over')).toMatchObject({ status: 'success', output: [4, 6] });

  const driver = await space.start(document, [1, 2]);
  await driver.step('into');
  await driver.step('into');
  expect(stateAt(space.journal, driver.run_id, 2)).toMatchObject({ states: [{ name: 'Items', value: [1, 2] }], next: 'Items' });
  await driver.step('over');
  const row = () => space.journal.row(driver.run_id).last_seq;
  expect(row()).toBe(3);
  expect(await driver.step('out')).toMatchObject({ status: 'success', output: [4, 6] });
  expect(row()).toBe(6);
});

test('a run that is reopened inside an each node goes on there, and its records leave the outer map alone', async () => {
  const first = await space.start(document, [1, 2]);
  for (let step = 0; step < 3; step += 1) await first.step('into');
  first.close();
  const second = RunDriver.open(await space.options(), first.run_id);
  expect(await second.continue()).toMatchObject({ status: 'success', output: [4, 6] });
  const { timeline } = detailOf(space.journal, first.run_id, 0);
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
