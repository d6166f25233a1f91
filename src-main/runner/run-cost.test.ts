import { afterEach, beforeEach, expect, test } from 'vitest';
import { evaluateAt } from '#main/debug/evaluate.ts';
import { findInRun } from '#main/debug/find.ts';
import { previousStop } from '#main/debug/scan.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import { costOf, type Prices } from '#shared/run/model-cost.ts';
import { RunExecutor } from './run-executor.ts';
import { documentOf, TestWorkspace } from './testing.ts';

const model = 'script://turns.json';
const price = { input: 1000, output: 5000 };
const agent = { mode: 'chat', model, prompt: 'Say it' };
const document = documentOf('A', 'D', [
  { kind: 'agent', from: 'A', to: 'B', agent },
  { kind: 'agent', from: 'B', to: 'C', agent },
  { kind: 'agent', from: 'C', to: 'D', agent },
]);
/** The cost after each agent. */
const costs = [1, 2].map((calls) => costOf({ tokens_in: calls * 10, tokens_out: calls * 2 }, price));

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
  space.write('turns.json', { turns: [{ text: 'hi', usage: { tokens_in: 10, tokens_out: 2 } }] });
});
afterEach(() => space.remove());

/** A run that stops where the condition holds. */
async function stopping(condition: string, prices: Prices): Promise<RunExecutor> {
  const { runId } = await space.start(document, {});
  const breakpoints: Breakpoint[] = ['B', 'C'].map((node) => ({ id: node, kind: 'before', flow: 'test.flow.json', node, condition }));
  return RunExecutor.open({ ...(await space.options()), breakpoints, pricesOf: async () => prices }, runId);
}

test('a condition over run.cost stops where the cost passes a limit', async () => {
  const executor = await stopping(`run.cost > ${costs[0]}`, { [model]: price });
  expect(await executor.continue()).toMatchObject({ status: 'paused', stop: { breakpoints: [{ id: 'C' }] } });
  expect(await executor.continue()).toMatchObject({ status: 'success' });
});

test('a condition over run.cost stops and names the model that has no price', async () => {
  const executor = await stopping('run.cost > 1', {});
  expect(await executor.continue()).toMatchObject({
    status: 'paused',
    stop: {
      text: `B: before B, stopped because its condition failed. The cost of this run is unknown: ${model} has no price. Set one with: pravah models price ${model} IN OUT`,
    },
  });
});

test('watches, searches and steps back know the cost of each record', async () => {
  const executor = await stopping('false', {});
  await executor.continue();
  const { journal } = space;
  const row = journal.row(executor.runId);
  const graph = journal.graphOf(row);
  const prices = { [model]: price };
  const reader = new RunReader(journal, row, prices);
  const at = [0, 1, 2].map((seq) => evaluateAt(graph, reader, seq, ['run.cost'])[0]);
  expect(at).toEqual([{ value: 0 }, { value: costs[0] }, { value: costs[1] }]);
  // What the run has used is still listed without its price.
  expect(evaluateAt(graph, new RunReader(journal, row), 2, ['run'])[0]).toMatchObject({ value: { model_calls: 2 } });
  const request = { expression: `run.cost > ${costs[0]}`, from: 0, direction: 'forth', begun: false } as const;
  expect(findInRun(journal, row, request, () => true, prices)).toMatchObject({ seq: 2 });
  const condition = `run.cost == ${costs[0]}`;
  const breakpoints: Breakpoint[] = ['A', 'B', 'C'].map((node) => ({ id: node, kind: 'before', flow: 'test.flow.json', node, condition }));
  expect(previousStop(graph, reader, breakpoints, row.last_seq)).toMatchObject({ seq: 1, stop: { breakpoints: [{ id: 'B' }] } });
});
