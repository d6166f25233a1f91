import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Json } from '#shared/json.ts';
import type { RunEventOf } from '#shared/run/event.ts';
import { RunExecutor } from './run-executor.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
const list = { type: 'array', items: {} };
const flow = 'test.flow.json';
const item = 'item.flow.json';
afterEach(() => space.remove());
beforeEach(() => {
  space = new TestWorkspace();
  space.write(
    item,
    documentOf('Item', 'Out', [
      { kind: 'work', from: 'Item', to: 'Mid', title: 'Halve it', expr: '{n: input.n / 2}' },
      { kind: 'work', from: 'Mid', to: 'Out', expr: '{n: n + 1}' },
    ]),
  );
});

/** A loop that counts to three, then an `each` node. */
const orders = (): Json => ({
  ...(documentOf('A', 'Done', [
    { kind: 'work', from: 'A', to: 'Count', expr: '{n: 0}' },
    { kind: 'either', from: 'Count', to: ['Again', 'Items'], expr: 'n < 3' },
    { kind: 'work', from: 'Again', to: 'Count', expr: '{n: n + 1}' },
    { kind: 'work', from: 'Items', to: 'List', expr: '[{n: 2}, {n: 4}, {n: 6}]' },
    { kind: 'each', from: 'List', to: 'Done', title: 'Price all', flow: `./${item}` },
  ]) as object),
  schemas: { A: {}, Count: {}, Again: {}, Items: {}, List: list, Done: list },
});

/** Continues a run to its end and returns where it stopped: the last record and the text. */
async function stopsOf(executor: RunExecutor, breakpoints: readonly Breakpoint[]): Promise<[number, string][]> {
  executor.setBreakpoints(breakpoints);
  const stops: [number, string][] = [];
  for (let at = 0; at < 100; at += 1) {
    const { status, stop } = await executor.continue();
    if (status !== 'paused') return stops;
    stops.push([space.journal.row(executor.runId).last_seq, stop?.text ?? '']);
  }
  throw new Error('the run does not end');
}

const stopped = async (...breakpoints: Breakpoint[]) => stopsOf(await space.start(orders(), {}), breakpoints);

describe('a run stops', () => {
  test('before its first node, and not again when it continues from there', async () => {
    expect(await stopped({ id: 'b', kind: 'before', flow, node: 'A' })).toEqual([[0, 'b: before A']]);
  });

  test('before and after a node of an inner flow, in every item', async () => {
    const before = await stopped({ id: 'b', kind: 'before', flow: item, node: 'Item' });
    expect(before.map(([, text]) => text)).toEqual([
      'b: before Price all › item 1 of 3 › Halve it',
      'b: before Price all › item 2 of 3 › Halve it, hit 2',
      'b: before Price all › item 3 of 3 › Halve it, hit 3',
    ]);
    expect(await stopped({ id: 'b', kind: 'after', flow: item, node: 'Mid', hits: '2' })).toEqual([
      [13, 'b: after Price all › item 2 of 3 › Mid, hit 2'],
    ]);
  });

  test('before an each node once, and after it when all items have finished', async () => {
    const each = { flow, node: 'List' };
    expect(await stopped({ id: 'b', kind: 'before', ...each }, { id: 'a', kind: 'after', ...each })).toEqual([[9, 'b: before Price all']]);
    const executor = await space.start({ ...(orders() as object), output: 'End', ...withEnd() } as Json, {});
    expect(await stopsOf(executor, [{ id: 'a', kind: 'after', ...each }])).toEqual([[16, 'a: after Price all']]);
  });

  test('where an either node went one way', async () => {
    expect(await stopped({ id: 'b', kind: 'branch', flow, node: 'Count', state: 'Items' })).toEqual([[8, 'b: Items produced by Count']]);
  });

  test('where a state is written, consumed, or changed at a path', async () => {
    const seqs = async (on: 'written' | 'consumed' | 'changed', more: object = {}) =>
      (await stopped({ id: 'b', kind: 'state', flow, state: 'Count', on, ...more })).map(([seq]) => seq);
    expect(await seqs('written')).toEqual([1, 3, 5, 7]);
    expect(await seqs('consumed')).toEqual([1, 3, 5, 7]);
    expect(await seqs('changed', { path: '/n' })).toEqual([3, 5, 7]);
    expect(await seqs('changed', { path: '/missing' })).toEqual([]);
    expect(await stopped({ id: 'b', kind: 'state', flow: item, state: 'Out', on: 'written' })).toHaveLength(3);
  });

  test('where its condition holds, over fields, states, results, items and counters', async () => {
    const texts = async (condition: string, more: object = {}) =>
      (await stopped({ id: 'b', kind: 'before', flow: item, node: 'Item', condition, ...more } as Breakpoint)).map(([seq]) => seq);
    expect(await texts('n > 3')).toEqual([11, 13]);
    expect(await texts('states.Item.n === 4 && input.n === 4')).toEqual([11]);
    expect(await texts('item.index === item.of - 1')).toEqual([13]);
    expect(await texts('run.steps > 12')).toEqual([13]);
    expect(await texts('result.n === 2', { kind: 'after' })).toEqual([12]);
    expect(await texts('previous.n === 1', { kind: 'state', flow, state: 'Count', on: 'changed' })).toEqual([5]);
    expect(await texts('n >= 2', { hits: '%2' })).toEqual([11]);
    expect(await texts('n >= 2', { hits: '>=2' })).toEqual([11, 13]);
  });

  test('and says so where its condition fails or is not a boolean', async () => {
    const [[, text] = [0, '']] = await stopped({ id: 'b', kind: 'before', flow: item, node: 'Item', condition: 'missing > 3' });
    expect(text).toContain('stopped because its condition failed. The expression fails: the input has no field missing.');
    const [[, other] = [0, '']] = await stopped({ id: 'b', kind: 'before', flow: item, node: 'Item', condition: 'n' });
    expect(other).toContain('must be true or false, but is 2');
  });

  test('only inside a frame, once, and after another breakpoint', async () => {
    const at = { kind: 'before', flow: item, node: 'Item' } as const;
    expect(await stopped({ id: 'b', ...at, in: `${flow}#List` })).toHaveLength(3);
    expect(await stopped({ id: 'b', ...at, in: `${flow}#Other` })).toHaveLength(0);
    expect(await stopped({ id: 'b', ...at, once: true })).toHaveLength(1);
    const later = await stopped(
      { id: 'b', ...at, requires: 'a' },
      { id: 'a', kind: 'after', flow: item, node: 'Mid', condition: 'n === 2' },
    );
    expect(later.map(([seq]) => seq)).toEqual([13]);
    expect(await stopped({ id: 'b', ...at, enabled: false })).toEqual([]);
  });

  test('at a failed step that its filters admit', async () => {
    const failing = documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', expr: 'missing' }]);
    const stop = async (more: object) => {
      const executor = await space.start(failing, {});
      executor.setBreakpoints([{ id: 'b', kind: 'error', ...more }]);
      return (await executor.continue()).stop;
    };
    expect(await stop({})).toMatchObject({ reason: 'error', breakpoints: [{ id: 'b', hits: 1 }], place: [{ flow, node: 'A' }] });
    expect(await stop({ variant: 'HandlerError', condition: 'error.variant === "HandlerError"' })).toMatchObject({
      breakpoints: [{ id: 'b' }],
    });
    expect(await stop({ variant: 'Deadlock' })).toMatchObject({ reason: 'error', breakpoints: [] });
    expect(await stop({ node: 'B' })).toMatchObject({ breakpoints: [] });
  });

  test('before, after and at the error of a tool call of an agent, and around its model calls', async () => {
    space.write('turns.json', { turns: [{ tool_calls: [{ tool: 'read_file', input: { path: 'missing.txt' } }] }, { output: { n: 1 } }] });
    const agent = { model: 'script://turns.json', tools: ['read_file'] };
    const document = documentOf('A', 'C', [
      { kind: 'agent', from: 'A', to: 'B', agent },
      { kind: 'work', from: 'B', to: 'C' },
    ]);
    const seqs = async (breakpoint: object) =>
      (await stopsOf(await space.start(document, {}), [{ id: 'b', ...breakpoint } as Breakpoint])).map(([seq]) => seq);
    const tool = { kind: 'tool', tool: 'read_file' };
    expect(await seqs({ ...tool, on: 'before', condition: 'call.input.path === "missing.txt"' })).toEqual([1]);
    expect(await seqs({ ...tool, on: 'after' })).toEqual([2]);
    expect(await seqs({ ...tool, on: 'error' })).toEqual([2]);
    expect(await seqs({ kind: 'error', tool_results: true })).toEqual([2]);
    expect(await seqs({ kind: 'model', on: 'before' })).toEqual([0, 2]);
    expect(await seqs({ kind: 'model', on: 'after' })).toEqual([1, 3]);
    expect(await seqs({ kind: 'before', flow, node: 'A' })).toEqual([0]);
    expect(await seqs({ kind: 'before', flow, node: 'A', turns: true })).toEqual([0, 2]);
  });
});

test('a step that fails in a flow that an agent calls stops the run there, although the run continues', async () => {
  space.write('turns.json', { turns: [{ tool_calls: [{ tool: 'flow:./inner.flow.json', input: {} }] }, { text: 'done' }] });
  space.write('inner.flow.json', documentOf('N', 'O', [{ kind: 'work', from: 'N', to: 'O', run: '() => { throw new Error("no") }' }]));
  const agent = { mode: 'chat', model: 'script://turns.json', tools: ['flow:./inner.flow.json'] };
  const executor = await space.start(documentOf('A', 'Z', [{ kind: 'agent', from: 'A', to: 'Z', agent }]), {});
  const at = { flow: 'inner.flow.json', node: 'N' };
  const stops = await stopsOf(executor, [
    { id: 'b', kind: 'error', ...at, condition: 'error.variant == "HandlerError"' },
    { id: 'other', kind: 'error', flow, node: 'B' },
  ]);
  expect(stops).toEqual([[3, 'b: failure in A › inner › N']]);
  expect(space.journal.row(executor.runId).status).toBe('success');
});

function withEnd(): object {
  const { nodes, schemas } = orders() as unknown as { nodes: Json[]; schemas: object };
  return { nodes: [...nodes, { kind: 'work', from: 'Done', to: 'End' }], schemas: { ...schemas, End: {} } };
}

test('a breakpoint at a flow node holds where the nested flow begins and ends', async () => {
  const outer = documentOf('A', 'B', [
    { kind: 'work', from: 'A', to: 'Item' },
    { kind: 'work', from: 'Out', to: 'B' },
  ]) as { nodes: Json[] };
  const document = {
    ...outer,
    nodes: [outer.nodes[0], { kind: 'flow', title: 'Price one', flow: `./${item}` }, outer.nodes[1]],
  } as unknown as Json;
  const at = { flow, node: 'Item' };
  const stops = await stopsOf(await space.start(document, { n: 2 }), [
    { id: 'b', kind: 'before', ...at },
    { id: 'a', kind: 'after', ...at },
  ]);
  expect(stops).toEqual([
    [1, 'b: before Price one › Halve it'],
    [3, 'a: after Price one › Mid'],
  ]);
});

test('a log point emits its text, does not stop, and is not recorded', async () => {
  const executor = await space.start(orders(), {});
  const at = { kind: 'before', flow: item, node: 'Item' } as const;
  expect(await stopsOf(executor, [{ id: 'l', ...at, log: '{item.index}: {n} of {states.Item}, {gone}' }])).toEqual([]);
  const logs = space.events.filter((event): event is RunEventOf<'log'> => event.type === 'log');
  expect(logs.map(({ breakpoint, values }) => [breakpoint, values[0]])).toEqual([
    ['l', '0: 2 of {"n":2}, <The expression fails: the input has no field gone.>'],
    ['l', '1: 4 of {"n":4}, <The expression fails: the input has no field gone.>'],
    ['l', '2: 6 of {"n":6}, <The expression fails: the input has no field gone.>'],
  ]);
});

test('a run continues to a place once, and drops it when it stops for anything else', async () => {
  const executor = await space.start(orders(), {});
  const here: Breakpoint = { id: 'here', kind: 'before', flow, node: 'Again' };
  expect(await executor.continue(undefined, [here])).toMatchObject({ status: 'paused', stop: { breakpoints: [{ id: 'here' }] } });
  expect(await executor.continue(2)).toMatchObject({ status: 'paused', stop: { reason: 'step', breakpoints: [] } });
  expect(await executor.continue()).toMatchObject({ status: 'success', stop: null });
});

test('a run continues until a state is written, once', async () => {
  const executor = await space.start(orders(), {});
  const here: Breakpoint = { id: 'here', kind: 'state', flow, state: 'Again', on: 'written' };
  expect(await executor.continue(undefined, [here])).toMatchObject({ stop: { reason: 'state', text: 'here: Again written after Count' } });
  expect(space.journal.row(executor.runId).last_seq).toBe(2);
  expect(await executor.continue()).toMatchObject({ status: 'success' });
});

test('the end of a call says why the run is stopped', async () => {
  const executor = await space.start(orders(), {});
  expect(executor.stop).toMatchObject({ reason: 'entry', place: [{ flow, node: 'A' }], text: 'before A' });
  await executor.step('into');
  expect(executor.stop).toMatchObject({ reason: 'step', place: [{ flow, node: 'Count' }], text: 'before Count' });
  const waiting = await space.start(documentOf('A', 'B', [{ kind: 'suspend', from: 'A', to: 'B' }]), {});
  expect((await waiting.continue()).stop).toMatchObject({ reason: 'waiting', place: [{ node: 'A', kind: 'suspend' }] });
  const [, , end] = [space.events, 0, space.events.findLast(({ type }) => type === 'end_stream')];
  expect(end).toMatchObject({ status: 'suspended', stop: { reason: 'waiting' } });
});

test('breakpoints set while a run is driven stop it', async () => {
  const endless = documentOf('A', 'Z', [
    { kind: 'work', from: 'A', to: 'N', expr: '{n: 0}' },
    { kind: 'either', from: 'N', to: ['More', 'Z'], expr: 'n >= 0' },
    { kind: 'work', from: 'More', to: 'N', expr: '{n: n + 1}' },
  ]);
  const executor = await space.start({ ...(endless as object), limits: { steps: 100_000_000 } } as Json, {});
  const driven = executor.continue();
  setTimeout(() => executor.setBreakpoints([{ id: 'b', kind: 'before', flow, node: 'More' }]), 20);
  expect(await driven).toMatchObject({ status: 'paused', stop: { breakpoints: [{ id: 'b' }] } });
});

test('a step out of an item ends with the item, out of a nested flow with the flow, and out of the flow with the run', async () => {
  const executor = await space.start(orders(), {});
  await executor.continue(undefined, [{ id: 'b', kind: 'before', flow: item, node: 'Mid' }]);
  expect(await executor.step('out')).toMatchObject({
    status: 'paused',
    stop: { place: [{ item: { index: 1, of: 3 } }, { node: 'Item' }] },
  });
  const reopened = RunExecutor.open(await space.options(), executor.runId);
  expect(await reopened.step('out')).toMatchObject({ stop: { place: [{ item: { index: 2, of: 3 } }, { node: 'Item' }] } });
  const outer = documentOf('A', 'B', [
    { kind: 'work', from: 'A', to: 'Item' },
    { kind: 'work', from: 'Out', to: 'B' },
  ]) as { nodes: Json[] };
  const nested = await space.start({ ...outer, nodes: [...outer.nodes, { kind: 'flow', flow: `./${item}` }] } as unknown as Json, { n: 2 });
  await nested.step('into');
  expect(await nested.step('out')).toMatchObject({ status: 'paused', stop: { place: [{ flow, node: 'Out' }] } });
  expect(await nested.step('out')).toMatchObject({ status: 'success' });
});
