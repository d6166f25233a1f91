import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Json } from '#shared/json.ts';
import { findRound, foldsOf, roundsOf } from './round-view.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

const counting = documentOf('Start', 'Done', [
  { kind: 'work', from: 'Start', to: 'Count' },
  { kind: 'either', from: 'Count', to: ['More', 'End'], run: '(n) => (n > 0 ? { left: n } : { right: n })' },
  { kind: 'work', from: 'More', to: 'Count', run: '(n) => { if (n === 13) throw new Error("unlucky"); return n - 1; }' },
  { kind: 'work', from: 'End', to: 'Done' },
]);

const spans = (run_id: string, node: string, from = 1, limit = 100, seq?: number) =>
  roundsOf(space.journal, { run_id, node, from, limit, seq }).map(({ index, from_seq, to_seq, status }) => [
    index,
    from_seq,
    to_seq,
    status,
  ]);

it('a loop is one fold whose rounds begin with its first node, between the steps before and after it', async () => {
  const { runId, ...executor } = await run(counting, 3);
  expect(executor.status).toBe('success');
  // Start, then (Count, More) three times, Count, End.
  expect(foldsOf(space.journal, { run_id: runId })).toEqual([{ kind: 'loop', node: 'Count', from_seq: 2, to_seq: 8, rounds: 4 }]);
  expect(spans(runId, 'Count')).toEqual([
    [1, 2, 3, 'done'],
    [2, 4, 5, 'done'],
    [3, 6, 7, 'done'],
    [4, 8, 8, 'done'],
  ]);
  expect(spans(runId, 'Count', 2, 1)).toEqual([[2, 4, 5, 'done']]);
  expect(spans(runId, 'Count', 1, 1, 7)).toEqual([[3, 6, 7, 'done']]);
  expect(spans(runId, 'Absent')).toEqual([]);
  expect(findRound(space.journal, { run_id: runId, node: 'Count', which: 'first_failed' })).toBeNull();
  const slowest = findRound(space.journal, { run_id: runId, node: 'Count', which: 'slowest' });
  const durations = roundsOf(space.journal, { run_id: runId, node: 'Count', from: 1, limit: 100 }).map(({ duration_ms }) => duration_ms);
  expect(slowest?.duration_ms).toBe(Math.max(...durations));
});

it('a step that fails makes its round the first failed one', async () => {
  const { runId } = await run(counting, 14);
  expect(foldsOf(space.journal, { run_id: runId })).toEqual([{ kind: 'loop', node: 'Count', from_seq: 2, to_seq: 4, rounds: 2 }]);
  expect(spans(runId, 'Count')).toEqual([
    [1, 2, 3, 'done'],
    [2, 4, 4, 'failed'],
  ]);
  expect(findRound(space.journal, { run_id: runId, node: 'Count', which: 'first_failed' })).toMatchObject({ index: 2 });
});

it('the items of an each node are rounds', async () => {
  const item = documentOf('In', 'Out', [
    { kind: 'work', from: 'In', to: 'Mid' },
    { kind: 'work', from: 'Mid', to: 'Out' },
  ]);
  space.write('item.flow.json', item);
  const outer = documentOf('All', 'Result', [
    { kind: 'work', from: 'All', to: 'List' },
    { kind: 'each', from: 'List', to: 'Result', flow: './item.flow.json' },
  ]) as { schemas: Record<string, Json> };
  outer.schemas.List = outer.schemas.Result = { type: 'array', items: {} };
  const { runId, status } = await run(outer as Json, [1, 2, 3]);
  expect(status).toBe('success');
  const [fold] = foldsOf(space.journal, { run_id: runId });
  expect(fold).toMatchObject({ kind: 'each', node: 'List', from_seq: 2, rounds: 3 });
  const rounds = spans(runId, 'List');
  expect(rounds.map(([index, from]) => [index, from])).toEqual([
    [1, 2],
    [2, 4],
    [3, 6],
  ]);
  expect(spans(runId, 'List', 1, 1, 5)).toEqual([rounds[1]]);
});

it('folds are found inside an item, in a called flow and in a loop inside a loop', async () => {
  const around = (run_id: string, within: { node: string; index: number }[], node?: string) =>
    node === undefined
      ? foldsOf(space.journal, { run_id, within })
      : roundsOf(space.journal, { run_id, within, node, from: 1, limit: 100 }).map(({ index, from_seq, to_seq }) => [
          index,
          from_seq,
          to_seq,
        ]);
  space.write('count.flow.json', { ...(counting as object), name: 'Count' } as Json);
  const outer = documentOf('All', 'Result', [{ kind: 'each', from: 'All', to: 'Result', flow: './count.flow.json' }]) as {
    schemas: Record<string, Json>;
  };
  outer.schemas.All = outer.schemas.Result = { type: 'array', items: {} };
  const items = (await run(outer as unknown as Json, [1, 2])).runId;
  const inItem = around(items, [{ node: 'All', index: 2 }]);
  // The first item has five records: Start, Count, More, Count, End.
  expect(inItem).toEqual([{ kind: 'loop', node: 'All[1]::Count', from_seq: 7, to_seq: 11, rounds: 3 }]);
  expect(around(items, [{ node: 'All', index: 2 }], 'All[1]::Count')).toEqual([
    [1, 7, 8],
    [2, 9, 10],
    [3, 11, 11],
  ]);
  expect(around(items, [{ node: 'All', index: 9 }])).toEqual([]);

  space.write('turns.json', { turns: [{ tool_calls: [{ tool: 'flow:./count.flow.json', input: { input: 2 } }] }, { text: 'done' }] });
  const counted = {
    ...(counting as { schemas: object }),
    schemas: { ...(counting as { schemas: object }).schemas, Start: { type: 'number' } },
  };
  space.write('count.flow.json', counted as unknown as Json);
  const agent = { mode: 'chat', model: 'script://turns.json', tools: ['flow:./count.flow.json'] };
  const asked = (await run(documentOf('A', 'Z', [{ kind: 'agent', from: 'A', to: 'Z', agent }]), {})).runId;
  const [inCall] = around(asked, []) as { node: string; rounds: number }[];
  expect(inCall).toMatchObject({ kind: 'loop', node: expect.stringMatching(/^A::flow:\.\/count\.flow\.json\[.+\]::Count$/), rounds: 3 });
  expect(around(asked, [], inCall?.node)).toHaveLength(3);

  const twice = documentOf('Start', 'Done', [
    { kind: 'work', from: 'Start', to: 'Outer', expr: '{ i: 2, j: 3 }' },
    { kind: 'either', from: 'Outer', to: ['Inner', 'Done'], run: '(n) => (n.i > 0 ? { left: { i: n.i - 1, j: 3 } } : { right: n })' },
    { kind: 'either', from: 'Inner', to: ['Down', 'Outer'], run: '(n) => (n.j > 0 ? { left: { ...n, j: n.j - 1 } } : { right: n })' },
    { kind: 'work', from: 'Down', to: 'Inner', expr: 'input' },
  ]);
  const loops = (await run(twice, {})).runId;
  expect(around(loops, [])).toMatchObject([{ kind: 'loop', node: 'Outer', from_seq: 2, rounds: 3 }]);
  // A round of the outer loop: Outer, then three times Inner and Down, then Inner.
  const second = [{ node: 'Outer', index: 2 }];
  expect(around(loops, second)).toEqual([{ kind: 'loop', node: 'Inner', from_seq: 11, to_seq: 17, rounds: 4 }]);
  expect(around(loops, second, 'Inner')).toEqual([
    [1, 11, 12],
    [2, 13, 14],
    [3, 15, 16],
    [4, 17, 17],
  ]);
  expect(findRound(space.journal, { run_id: loops, node: 'Inner', which: 'slowest', within: second })?.from_seq).toBeGreaterThan(10);
});

it('folds are found in every flow that an agent calls', async () => {
  const { schemas } = counting as { schemas: object };
  space.write('count.flow.json', { ...(counting as object), schemas: { ...schemas, Start: { type: 'number' } }, name: 'Count' } as Json);
  const calls = 60;
  const call = { tool_calls: [{ tool: 'flow:./count.flow.json', input: { input: 1 } }] };
  space.write('turns.json', { turns: [...Array.from({ length: calls }, () => call), { text: 'done' }] } as Json);
  const agent = { mode: 'chat', model: 'script://turns.json', tools: ['flow:./count.flow.json'], limits: { turns: calls + 1 } };
  const { runId } = await run(documentOf('A', 'Z', [{ kind: 'agent', from: 'A', to: 'Z', agent }]), {});
  const folds = foldsOf(space.journal, { run_id: runId });
  expect(folds).toHaveLength(calls);
  expect(new Set(folds.map(({ node }) => node)).size).toBe(calls);
  expect(folds.every(({ kind, rounds, from_seq, to_seq }) => kind === 'loop' && rounds === 2 && to_seq - from_seq === 2)).toBe(true);
});

async function run(document: Json, input: Json): Promise<{ runId: string; status: string }> {
  const executor = await space.start(document, input);
  await executor.continue();
  return { runId: executor.runId, status: space.journal.row(executor.runId).status };
}
