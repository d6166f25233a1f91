import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findIteration, type WhichIteration } from '#main/journal/find-iteration.ts';
import type { Json } from '#shared/json.ts';
import { iterationOf, iterationsOf, lastInside, ranBetween } from './iteration-view.ts';
import { detailOf } from './run-views.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

const counting = {
  ...(documentOf('Count', 'Done', [
    { kind: 'either', from: 'Count', to: ['More', 'Done'], run: '(n) => (n > 0 ? { left: n } : { right: n })' },
    {
      kind: 'work',
      from: 'More',
      to: 'Count',
      run: '(n, ctx) => { ctx.log("at", n); if (n === 13) throw new Error("unlucky"); return n - 1; }',
    },
  ]) as object),
} as Json;

const subject = (run_id: string, node: string, nested = false) => ({ run_id, node, nested });
const page = (run_id: string, node: string, from = 1, limit = 100, nested = false) =>
  iterationsOf(space.journal, { ...subject(run_id, node, nested), from, limit });

describe('a node in a loop', () => {
  it('has one iteration for each firing, in pages', async () => {
    const executor = await space.start(counting, 5);
    await executor.continue();
    const { total, iterations } = page(executor.runId, 'More');
    expect(total).toBe(5);
    expect(iterations.map(({ index, from_seq, to_seq, status, preview }) => [index, from_seq, to_seq, status, preview])).toEqual([
      [1, 2, 2, 'done', 'Count'],
      [2, 4, 4, 'done', 'Count'],
      [3, 6, 6, 'done', 'Count'],
      [4, 8, 8, 'done', 'Count'],
      [5, 10, 10, 'done', 'Count'],
    ]);
    expect(page(executor.runId, 'More', 3, 2).iterations.map(({ index }) => index)).toEqual([3, 4]);
    expect(page(executor.runId, 'More', 6).iterations).toEqual([]);
    expect(page(executor.runId, 'Absent')).toEqual({ total: 0, from: 1, iterations: [] });
    expect(page(executor.runId, 'Count').iterations.map(({ preview }) => preview)).toEqual([
      'More',
      'More',
      'More',
      'More',
      'More',
      'Done',
    ]);
  });

  it('shows the values, log and former output of an iteration', async () => {
    const executor = await space.start(counting, 5);
    await executor.continue();
    expect(iterationOf(space.journal, { ...subject(executor.runId, 'More'), index: 2 })).toMatchObject({
      total: 5,
      iteration: {
        index: 2,
        input: [{ name: 'More', value: 4 }],
        output: [{ name: 'Count', value: 3 }],
        previous_output: [{ name: 'Count', value: 4 }],
        log: [{ seq: 4, level: 'info', text: 'at 4' }],
        log_cut: false,
        models: [],
      },
    });
    const at = (seq?: number) => iterationOf(space.journal, { ...subject(executor.runId, 'More'), seq }).iteration?.index;
    expect([at(1), at(2), at(3), at(4), at()]).toEqual([undefined, 1, 1, 2, 5]);
  });

  it('ends with the failed iteration, its input and its log', async () => {
    const executor = await space.start(counting, 14);
    await executor.continue();
    expect(iterationOf(space.journal, subject(executor.runId, 'More'))).toMatchObject({
      total: 2,
      iteration: {
        index: 2,
        from_seq: 4,
        to_seq: 4,
        status: 'failed',
        input: [{ name: 'More', value: 13 }],
        output: [],
        previous_output: [{ name: 'Count', value: 13 }],
        log: [{ seq: 4, text: 'at 13' }],
      },
    });
    expect(iterationOf(space.journal, { ...subject(executor.runId, 'More'), seq: 3 }).iteration?.index).toBe(2);
  });
});

it('takes all turns of an agent’s visit as one iteration', async () => {
  space.write('talk.json', {
    turns: [
      { text: 'Let me see.', tool_calls: [{ tool: 'list_files', input: {} }], usage: { tokens_in: 70, tokens_out: 12 } },
      { output: { text: 'done' }, usage: { tokens_in: 90, tokens_out: 5 } },
    ],
  });
  const executor = await space.start(
    documentOf('Ask', 'Answer', [
      { kind: 'agent', from: 'Ask', to: 'Answer', agent: { model: 'script://talk.json', prompt: 'Look', tools: ['list_files'] } },
    ]),
    {},
  );
  await executor.step('into');
  expect(page(executor.runId, 'Ask').iterations).toMatchObject([{ index: 1, from_seq: 1, to_seq: 1, status: 'running', tokens: 82 }]);
  await executor.continue();
  expect(iterationOf(space.journal, subject(executor.runId, 'Ask'))).toMatchObject({
    total: 1,
    iteration: {
      from_seq: 1,
      to_seq: 4,
      status: 'done',
      tokens: 177,
      turns: 2,
      models: ['script://talk.json'],
      input: [{ name: 'Ask', value: {} }],
      output: [{ name: 'Answer', value: { text: 'done' } }],
    },
  });
});

it('takes a question, its answer and the step after it as one iteration', async () => {
  const executor = await space.start(documentOf('Ask', 'Answer', [{ kind: 'suspend', from: 'Ask', to: 'Answer' }]), 1);
  await executor.continue();
  expect(page(executor.runId, 'Ask').iterations).toMatchObject([{ from_seq: 1, to_seq: 1, status: 'waiting' }]);
  const [asked] = detailOf(space.journal, executor.runId, 0).suspensions;
  await executor.resume(asked?.tool_id ?? '', 2, { tool_call_id: asked?.tool_call_id ?? '' });
  await executor.continue();
  expect(page(executor.runId, 'Ask').iterations).toMatchObject([{ from_seq: 1, to_seq: 3, status: 'done', preview: 'Answer' }]);
});

describe('nested flows', () => {
  const list = { type: 'array', items: {} };
  beforeEach(() => {
    space.write(
      'item.flow.json',
      documentOf('Item', 'Out', [
        { kind: 'work', from: 'Item', to: 'Mid', expr: 'input + 1' },
        { kind: 'work', from: 'Mid', to: 'Out', expr: 'input * 2' },
      ]),
    );
  });

  it('an each node has one iteration with all its items, and its inner nodes have the values of their item', async () => {
    const document = {
      ...(documentOf('Items', 'Results', [{ kind: 'each', from: 'Items', to: 'Results', flow: './item.flow.json' }]) as object),
      schemas: { Items: list, Results: list },
    } as Json;
    const executor = await space.start(document, [1, 2]);
    await executor.continue();
    expect(page(executor.runId, 'Items').iterations).toMatchObject([{ from_seq: 1, to_seq: 5, status: 'done', preview: 'Results' }]);
    const inner = (node: string) => iterationOf(space.journal, subject(executor.runId, node));
    expect(inner('Items[1]::Item')).toMatchObject({
      total: 1,
      iteration: { from_seq: 3, input: [{ name: 'Item', value: 2 }], output: [{ name: 'Mid', value: 3 }] },
    });
    expect(inner('Items[1]::Mid')).toMatchObject({ iteration: { input: [{ name: 'Mid', value: 3 }], output: [{ value: 6 }] } });
  });

  it('a nested flow has one iteration from its first node to its last one', async () => {
    space.write('twice.flow.json', {
      ...(documentOf('In', 'Out', [
        { kind: 'work', from: 'In', to: 'Mid' },
        { kind: 'work', from: 'Mid', to: 'Out', expr: 'input * 2' },
      ]) as object),
    } as Json);
    const document = documentOf('A', 'B', [
      { kind: 'work', from: 'A', to: 'In' },
      { kind: 'flow', flow: './twice.flow.json' },
      { kind: 'work', from: 'Out', to: 'B' },
    ]);
    const executor = await space.start(document, 4);
    await executor.step('into');
    await executor.step('into');
    expect(page(executor.runId, 'In', 1, 10, true).iterations).toMatchObject([{ from_seq: 2, to_seq: 2, status: 'running', preview: '' }]);
    await executor.continue();
    expect(iterationOf(space.journal, subject(executor.runId, 'In', true))).toMatchObject({
      total: 1,
      iteration: { from_seq: 2, to_seq: 3, status: 'done', input: [{ name: 'In', value: 4 }], output: [{ name: 'Out', value: 8 }] },
    });
  });
});

describe('an iteration is found', () => {
  const find = (run_id: string, node: string, which: WhichIteration, other?: string) => {
    const run = (id: string) => ({ journal: space.journal, row: space.journal.row(id) });
    return findIteration(run(run_id), { node, nested: false }, which, other === undefined ? undefined : run(other));
  };

  it('that failed first', async () => {
    const executor = await space.start(counting, 15);
    await executor.continue();
    expect(find(executor.runId, 'More', 'first_failed')).toBe(3);
    expect(find(executor.runId, 'Count', 'first_failed')).toBeNull();
  });

  it('that took longest, with all turns of an agent and all items', async () => {
    const executor = await space.start(counting, 5);
    await executor.continue();
    const durations = page(executor.runId, 'More').iterations.map(({ duration_ms }) => duration_ms);
    expect(find(executor.runId, 'More', 'slowest')).toBe(durations.indexOf(Math.max(...durations)) + 1);
    expect(find(executor.runId, 'Absent', 'slowest')).toBeNull();
  });

  it('that differs first, from the one before or from the same one of another run', async () => {
    const same = documentOf('Count', 'Done', [
      { kind: 'either', from: 'Count', to: ['More', 'Done'], expr: 'input.left > 0' },
      { kind: 'work', from: 'More', to: 'Step' },
      { kind: 'work', from: 'Step', to: 'Count', expr: '{left: input.left - 1, mark: input.left === 2 ? input.mark : 0}' },
    ]);
    const started = async (mark: number) => {
      const executor = await space.start(same, { left: 4, mark });
      await executor.continue();
      return executor.runId;
    };
    const [one, other, alike] = [await started(0), await started(7), await started(0)];
    expect(find(one, 'Step', 'first_different')).toBe(2);
    expect(find(one, 'Step', 'first_different', alike)).toBeNull();
    expect(find(one, 'More', 'first_different', other)).toBe(1);
    expect(find(one, 'Step', 'first_different', other)).toBeNull();
  });
});

it('a stretch of a run has the statistics of its own records, in the run and inside an item', async () => {
  space.write('count.flow.json', { ...(counting as object), name: 'Count' } as Json);
  const outer = documentOf('All', 'Result', [{ kind: 'each', from: 'All', to: 'Result', flow: './count.flow.json' }]);
  Object.assign((outer as { schemas: Record<string, Json> }).schemas, {
    All: { type: 'array', items: {} },
    Result: { type: 'array', items: {} },
  });
  const executor = await space.start(outer, [1, 2]);
  await executor.continue();
  const run_id = executor.runId;
  const counts = (from_seq: number, to_seq: number, inside?: string) =>
    Object.entries(ranBetween(space.journal, { run_id, from_seq, to_seq, inside }).tallies).map(([id, { count }]) => [id, count]);
  // Count, More, Count in the first item; Count, More, Count, More, Count in the second one.
  expect(counts(4, 8, 'All[1]')).toEqual([
    ['All[1]::Count', 3],
    ['All[1]::More', 2],
  ]);
  expect(counts(6, 7, 'All[1]')).toEqual([
    ['All[1]::Count', 1],
    ['All[1]::More', 1],
  ]);
  expect(counts(4, 8, 'All[0]')).toEqual([]);
  const last = (to_seq: number) => lastInside(space.journal, { run_id, begins_with: 'All[', to_seq });
  expect(last(5)).toEqual({ seq: 5, node: 'All[1]::More' });
  expect(lastInside(space.journal, { run_id, begins_with: 'All[2', to_seq: 8 })).toBeNull();
});
