import { afterEach, beforeEach, expect, it } from 'vitest';
import { CoverageCounter } from '#main/debug/coverage.ts';
import { triedPath } from '#shared/flow/tried-path.ts';
import type { Json } from '#shared/json.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

const sort = documentOf('N', 'Out', [
  { kind: 'either', from: 'N', to: ['Small', 'Large'], expr: 'input.n < 10' },
  { kind: 'work', from: 'Small', to: 'Out', expr: '{n: input.n + 1}' },
  { kind: 'work', from: 'Large', to: 'Out', expr: '{n: input.n / 2}', title: 'Halve' },
]);

/** Runs a document with each input, and counts what the runs took of a file. */
async function covered(document: Json, inputs: readonly Json[], flow = 'test.flow.json', of: Json = document) {
  const counter = new CoverageCounter(flow);
  for (const input of inputs) {
    const executor = await space.start(document, input);
    await executor.continue();
    executor.close();
    counter.add(space.journal, space.journal.row(executor.runId));
  }
  const whole = await space.start(of, {});
  const { nodes, wires, ...rest } = counter.result(space.journal.graphOf(space.journal.row(whole.runId)));
  return {
    ...rest,
    nodes: Object.fromEntries(nodes.map(({ node, count }) => [node, count])),
    wires: Object.fromEntries(wires.map(({ node, state, count }) => [`${node}→${state}`, count])),
    all: nodes,
  };
}

it('counts nodes and branches over runs, and leads to what was never taken', async () => {
  const found = await covered(sort, [{ n: 1 }, { n: 2 }]);
  expect(found).toMatchObject({ runs: 2, nodes: { N: 2, Small: 2 }, wires: { 'N→Small': 2, 'Small→Out': 2 }, covered: 3, total: 5 });
  expect(found.uncovered).toEqual([
    { node: 'N', title: 'N', state: 'Large', route: [], marking: ['N'] },
    { node: 'Large', title: 'Halve', state: null, route: [{ node: 'N', branch: 'Large' }], marking: ['Large'] },
  ]);
  expect((await covered(sort, [{ n: 1 }, { n: 20 }])).uncovered).toEqual([]);
});

it('counts a flow wherever it runs: by itself, nested, and for items', async () => {
  space.write('sort.flow.json', sort);
  const nested: Json = {
    pravah: 1,
    name: 'Nested',
    input: 'A',
    output: 'Z',
    schemas: { A: {}, N: {}, Out: {}, List: { type: 'array', items: {} }, Sorted: { type: 'array', items: {} }, Z: {} },
    nodes: [
      { kind: 'work', from: 'A', to: 'N' },
      { kind: 'flow', flow: './sort.flow.json' },
      { kind: 'work', from: 'Out', to: 'List', expr: '[{n: 1}, {n: 30}, {n: 40}]' },
      { kind: 'each', from: 'List', to: 'Sorted', flow: './sort.flow.json' },
      { kind: 'work', from: 'Sorted', to: 'Z' },
    ],
  };
  const inner = await covered(nested, [{ n: 50 }], 'sort.flow.json', sort);
  expect(inner).toMatchObject({
    runs: 1,
    nodes: { N: 4, Small: 1, Large: 3 },
    wires: { 'N→Small': 1, 'N→Large': 3, 'Small→Out': 1, 'Large→Out': 3 },
    covered: 5,
    total: 5,
  });
  const outer = await covered(nested, [{ n: 50 }]);
  expect(outer).toMatchObject({
    nodes: { A: 1, N: 1, Out: 1, List: 1, Sorted: 1 },
    wires: { 'A→N': 1, 'N→Out': 1, 'Out→List': 1, 'List→Sorted': 1, 'Sorted→Z': 1 },
    covered: 5,
    total: 5,
  });
});

it('adds up time and tokens by model, counts failures, and leaves out runs in which the file took no part', async () => {
  space.write('turns.json', {
    turns: [
      { tool_calls: [{ tool: 'list_files', input: { path: '.' } }], usage: { tokens_in: 10, tokens_out: 2 } },
      { output: { ok: 1 }, usage: { tokens_in: 20, tokens_out: 3 } },
    ],
  });
  const agent = { model: 'script://turns.json', tools: ['list_files'], prompt: 'Look' };
  const document = documentOf('Ask', 'Z', [
    { kind: 'agent', from: 'Ask', to: 'Answer', agent },
    { kind: 'work', from: 'Answer', to: 'Z', run: '() => { throw new Error("no"); }' },
  ]);
  const found = await covered(document, [{}]);
  expect(found.all).toEqual([
    {
      node: 'Ask',
      kind: 'agent',
      count: 1,
      failures: 0,
      tokens: 35,
      duration_ms: expect.any(Number),
      models: { 'script://turns.json': { tokens_in: 30, tokens_out: 5 } },
    },
    { node: 'Answer', kind: 'work', count: 0, failures: 1, tokens: 0, duration_ms: 0, models: {} },
  ]);
  expect(found.uncovered.map(({ node, marking }) => [node, marking])).toEqual([['Answer', ['Answer']]]);
  expect((await covered(document, [{}], 'other.flow.json', sort)).runs).toBe(0);
});

it('does not count the run of a node that was tried alone', async () => {
  const executor = await space.start(sort, { n: 1 });
  await executor.continue();
  executor.close();
  const counter = new CoverageCounter('test.flow.json');
  const row = space.journal.row(executor.runId);
  counter.add(space.journal, { ...row, flow_path: triedPath('N of test.flow.json') });
  expect(counter.result(space.journal.graphOf(row))).toMatchObject({ runs: 0, covered: 0 });
});
