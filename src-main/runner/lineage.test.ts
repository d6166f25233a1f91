import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LineageRequest, lineage } from '#main/debug/lineage.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { Json } from '#shared/json.ts';
import { placeText } from '#shared/run/stop.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

async function ran(document: Json, input: Json): Promise<string> {
  const executor = await space.start(document, input);
  await executor.continue();
  executor.close();
  return executor.runId;
}

function trace(runId: string, request: Omit<LineageRequest, 'direction'> & Partial<LineageRequest>) {
  return lineage(space.journal, space.journal.row(runId), { direction: 'back', ...request });
}

/** Each step as `record state/path how`. */
const lines = (found: ReturnType<typeof trace>) => found.steps.map(({ seq, state, path, how }) => `${seq} ${state}${path ?? ''} ${how}`);

const order = documentOf('Order', 'Done', [
  { kind: 'fork', from: 'Order', to: ['Rates', 'Lines'] },
  { kind: 'work', from: 'Rates', to: 'Tax', expr: '{tax: input.rate * 2, key: input.key}' },
  { kind: 'work', from: 'Lines', to: 'Sum', expr: '{sum: 7, customer: {id: input.key}}' },
  { kind: 'join', from: ['Tax', 'Sum'], to: 'Total' },
  { kind: 'work', from: 'Total', to: 'Done' },
]);

describe('who wrote a state', () => {
  it('is followed through joins and forks back to the input, each record once', async () => {
    const run = await ran(order, { rate: 3, key: 'K-17' });
    expect(lines(trace(run, { seq: 5, state: 'Done' }))).toEqual([
      '5 Done asked',
      '4 Total consumed',
      '3 Sum consumed',
      '2 Tax consumed',
      '1 Lines consumed',
      '1 Rates consumed',
      '0 Order consumed',
    ]);
  });

  it('of a value ends at the step that introduced it', async () => {
    const run = await ran(order, { rate: 3, key: 'K-17' });
    const found = trace(run, { seq: 5, state: 'Done', path: '/tax' });
    expect(lines(found)).toEqual(['5 Done/tax asked', '4 Total/tax copied', '2 Tax/tax copied']);
    expect(found.steps.map(({ introduced }) => introduced === true)).toEqual([false, false, true]);
    expect(found.steps[2]).toMatchObject({ node: 'Rates', place: [{ node: 'Rates' }], of: 1, found_in: null });
  });

  it('finds a value at another place of what was consumed, and says that it is only the same value', async () => {
    const run = await ran(order, { rate: 3, key: 'K-17' });
    expect(lines(trace(run, { seq: 5, state: 'Done', path: '/customer/id' }))).toEqual([
      '5 Done/customer/id asked',
      '4 Total/customer/id copied',
      '3 Sum/customer/id copied',
      '1 Lines/key same_value',
      '0 Order/key copied',
    ]);
  });

  it('does not search elsewhere for values that agree by chance', async () => {
    const run = await ran(documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', expr: '{ok: input.fine}' }]), { fine: true });
    expect(lines(trace(run, { seq: 1, state: 'B', path: '/ok' }))).toEqual(['1 B/ok asked']);
  });

  it('does not guess among several places with the same value', async () => {
    const run = await ran(documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', expr: '{c: input.a}' }]), { a: 'same', b: 'same' });
    const found = trace(run, { seq: 1, state: 'B', path: '/c' });
    expect(lines(found)).toEqual(['1 B/c asked']);
    expect(found.steps[0]?.introduced).toBe(true);
  });

  it('is refused for a state that did not exist', async () => {
    const run = await ran(order, { rate: 3, key: 'K-17' });
    expect(() => trace(run, { seq: 1, state: 'Done' })).toThrow('There is no Done at step 1');
    expect(() => trace(run, { seq: 5, state: 'Done', path: '/absent' })).toThrow('There is no Done/absent at step 5');
  });
});

describe('who used a state', () => {
  it('is followed forwards through the steps that consumed it', async () => {
    const run = await ran(order, { rate: 3, key: 'K-17' });
    expect(lines(trace(run, { seq: 1, state: 'Rates', direction: 'forth' }))).toEqual([
      '1 Rates asked',
      '2 Rates consumed',
      '4 Tax consumed',
      '5 Total consumed',
    ]);
  });

  it('of a value stops where it was used to make another one', async () => {
    const run = await ran(order, { rate: 3, key: 'K-17' });
    expect(lines(trace(run, { seq: 0, state: 'Order', path: '/rate', direction: 'forth' }))).toEqual([
      '0 Order/rate asked',
      '1 Order/rate copied',
      '2 Rates/rate consumed',
      '3 Lines/rate consumed',
    ]);
  });
});

describe('inside the items of an each node', () => {
  let document: Json;
  beforeEach(() => {
    space.write('item.flow.json', {
      ...(documentOf('Item', 'Out', [
        { kind: 'work', from: 'Item', to: 'Mid', expr: '{name: input.name, total: input.price * 3}' },
        { kind: 'work', from: 'Mid', to: 'Out' },
      ]) as object),
    } as Json);
    const list = { type: 'array', items: {} };
    document = {
      ...(documentOf('A', 'End', [
        { kind: 'work', from: 'A', to: 'Items', expr: 'input.list' },
        { kind: 'each', from: 'Items', to: 'Results', flow: './item.flow.json', title: 'Price all' },
        { kind: 'work', from: 'Results', to: 'End' },
      ]) as object),
      schemas: { A: {}, Items: list, Results: list, End: {} },
    } as Json;
  });
  const input = { list: [1, 2, 3].map((price) => ({ name: `item ${price}`, price })) };

  it('a value of the result leads into its item and out of it to the list', async () => {
    const run = await ran(document, input);
    const found = trace(run, { seq: 9, state: 'End', path: '/1/name' });
    expect(lines(found)).toEqual([
      '9 End/1/name asked',
      '8 Results/1/name copied',
      '5 Items[1]::Out/name copied',
      '4 Items[1]::Mid/name copied',
      '1 Items/1/name same_value',
      '0 A/list/1/name same_value',
    ]);
    expect(found.steps.map(({ place }) => placeText(place))).toEqual([
      'Results',
      'Price all',
      'Price all › item 2 of 3 › Mid',
      'Price all › item 2 of 3 › Item',
      'A',
      '',
    ]);
    expect(trace(run, { seq: 9, state: 'End', path: '/2/total' }).steps.at(-1)).toMatchObject({
      seq: 6,
      state: 'Items[2]::Mid',
      introduced: true,
    });
  });

  it('a state of an item is followed to the list that the item came from', async () => {
    const run = await ran(document, input);
    expect(lines(trace(run, { seq: 4, item: 'Items[1]', state: 'Mid' }))).toEqual([
      '4 Items[1]::Mid asked',
      '1 Items consumed',
      '0 A consumed',
    ]);
    expect(lines(trace(run, { seq: 3, item: 'Items[1]', state: 'Item', path: '/price' }))).toEqual([
      '1 Items/1/price asked',
      '0 A/list/1/price same_value',
    ]);
  });

  it('a value is followed forwards into its item and out of it again', async () => {
    const run = await ran(document, input);
    expect(lines(trace(run, { seq: 1, state: 'Items', path: '/2/name', direction: 'forth' }))).toEqual([
      '1 Items/2/name asked',
      '6 Items[2]::Item/name same_value',
      '7 Items[2]::Mid/name copied',
      '9 Results/2/name copied',
    ]);
  });
});

it('a value that an agent introduced names the turn and the tool whose result has it, as the same value', async () => {
  const turns: Json = [
    { tool_calls: [{ tool: 'read_file', input: { path: 'price.txt' } }] },
    { tool_calls: [{ tool: 'list_files', input: { path: '.' } }] },
    { output: { price: 'about 40 rupees' } },
  ];
  space.write('turns.json', { turns });
  space.write('price.txt', 'It costs about 40 rupees.');
  const agent = { model: 'script://turns.json', tools: ['read_file', 'list_files'], prompt: 'How much?' };
  const run = await ran(documentOf('Ask', 'Price', [{ kind: 'agent', from: 'Ask', to: 'Price', agent }]), { q: 1 });
  const { last_seq } = space.journal.row(run);
  const { steps } = trace(run, { seq: last_seq, state: 'Price', path: '/price' });
  expect(steps).toMatchObject([{ introduced: true, node: 'Ask', found_in: { turn: 1, tool: 'read_file' } }]);
});

it('a value that a tool call of code returned names the tool', async () => {
  space.write('price.txt', 'It costs about 40 rupees.');
  const code = 'async (ask, ctx) => ({ said: (await ctx.tools.read_file({ path: "price.txt" })).slice(9) })';
  const run = await ran(documentOf('Ask', 'Price', [{ kind: 'work', from: 'Ask', to: 'Price', run: code, tools: ['read_file'] }]), {
    q: 1,
  });
  const { steps } = trace(run, { seq: 1, state: 'Price', path: '/said' });
  expect(steps).toMatchObject([{ introduced: true, found_in: { seq: 1, tool: 'read_file' } }]);
});

it('returns 200 steps at most of a long loop, and reads no more than those', async () => {
  const loop = documentOf('N', 'Z', [
    { kind: 'either', from: 'N', to: ['More', 'Z'], expr: 'input.n > 0' },
    { kind: 'work', from: 'More', to: 'N', expr: '{n: input.n - 1, tag: input.tag}' },
  ]);
  const run = await ran(loop, { n: 300, tag: 'first' });
  const { last_seq } = space.journal.row(run);
  const found = trace(run, { seq: last_seq, state: 'Z' });
  expect([found.steps.length, found.cut]).toEqual([200, true]);
  expect(found.steps.map(({ seq }) => seq)).toEqual(Array.from({ length: 200 }, (_, index) => last_seq - index));
});

describe('inside a flow that an agent calls', () => {
  const lookUp = documentOf('Query', 'Answer', [
    { kind: 'work', from: 'Query', to: 'Found', expr: '{code: input.code, name: "Amber Fort"}' },
    { kind: 'work', from: 'Found', to: 'Answer', expr: '{code: input.code, title: input.name}' },
  ]);
  const called = (call: number) => `Ask::flow:./look-up.flow.json[call_0_1_${call - 1}]`;

  async function asked(): Promise<string> {
    space.write('look-up.flow.json', lookUp);
    const calls = ['K-17', 'K-18'].map((code) => ({ tool: 'flow:./look-up.flow.json', input: { code } }));
    space.write('turns.json', { turns: [{ tool_calls: calls }, { output: { title: 'Amber Fort', other: 'of Jaipur' } }] });
    const agent = { model: 'script://turns.json', tools: ['flow:./look-up.flow.json'], prompt: 'Which?' };
    return ran(documentOf('Ask', 'Done', [{ kind: 'agent', from: 'Ask', to: 'Done', agent }]), { wanted: 'K-18' });
  }

  it('a value is followed to the call’s input, which the agent has made of what it consumed', async () => {
    const run = await asked();
    const records = space.journal.row(run).last_seq;
    const inner = Array.from({ length: records }, (_, index) => index + 1).filter(
      (seq) => new RunReader(space.journal, space.journal.row(run)).timeline(seq, 1)[0]?.node === `${called(2)}::Found`,
    );
    expect(inner).toHaveLength(1);
    const [last = 0] = inner;
    const found = trace(run, { seq: last - 1, item: called(2), state: 'Found', path: '/code' });
    expect(lines(found).map((line) => line.replace(/^\d+ /, ''))).toEqual([
      `${called(2)}::Found/code asked`,
      `${called(2)}::Query/code same_value`,
      'Ask/wanted same_value',
    ]);
    expect(found.steps[1]).toMatchObject({ node: 'Ask' });
    // The other call's value is in nothing that the agent consumed: the agent introduced it.
    const other = trace(run, { seq: last - 1, item: called(2), state: 'Found', path: '/name' });
    expect(other.steps.map(({ introduced }) => introduced === true)).toEqual([true]);
    expect(placeText(other.steps[0]?.place ?? [])).toContain('Query');
  });

  it('what an agent wrote is followed into the flows that it has called, and their values out of them', async () => {
    const run = await asked();
    const { last_seq } = space.journal.row(run);
    const states = trace(run, { seq: last_seq, state: 'Done' }).steps.map(({ state }) => state);
    expect(states).toEqual(
      expect.arrayContaining(['Done', 'Ask', ...[1, 2].flatMap((call) => [`${called(call)}::Answer`, `${called(call)}::Query`])]),
    );
    // Both calls returned this title: the last one wins.
    const title = trace(run, { seq: last_seq, state: 'Done', path: '/title' }).steps;
    expect(title.map(({ state, path, how }) => `${state}${path} ${how}`)).toEqual([
      'Done/title asked',
      `${called(2)}::Answer/title same_value`,
      `${called(2)}::Found/name same_value`,
    ]);
    const forth = trace(run, { seq: 2, item: called(1), state: 'Query', direction: 'forth' });
    expect(forth.steps.map(({ state, node }) => `${state} ${node}`)).toEqual([
      `${called(1)}::Query Ask`,
      `${called(1)}::Query ${called(1)}::Query`,
      `${called(1)}::Found ${called(1)}::Found`,
      `${called(1)}::Answer Ask`,
    ]);
  });
});
