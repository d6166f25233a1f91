import { expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { quietContext } from '#main/engine/testing/flows.ts';
import { goOn } from '#main/engine/testing/run-to-end.ts';
import { loadWorkflow } from '#main/workspace/load-workflow.ts';
import { defaultSettings } from '#main/workspace/settings.ts';

/** A workflow of expr agents one after the other, each of which adds an event. */
function chainOf(length: number, key: (index: number) => string = () => 'n'): string {
  const agents = Array.from({ length }, (_, index) => ({
    name: `a${index}`,
    type: 'expr',
    expression: '(n or 0) + 1',
    input_keys: ['n'],
    output_key: key(index),
  }));
  return JSON.stringify({ name: 'w', agents, orchestration: { type: 'sequential', agents: agents.map(({ name }) => name) } });
}

function load(text: string) {
  return loadWorkflow(text, 'workflow.yaml', { folder: '/nowhere', settings: defaultSettings, trusted: false });
}

function runOf(length: number, key?: (index: number) => string): () => Promise<unknown> {
  const { graph } = load(chainOf(length, key));
  if (!graph) throw new Error('The workflow did not compile.');
  return () => goOn(FlowRuntime.new(graph, {}), quietContext());
}

/** Microseconds of processor time. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

it('takes a step of a long chain at nearly the cost of one of a short chain', async () => {
  const [short, long] = [runOf(50), runOf(1500)];
  const ratios: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const shortTime = await timeOf(async () => {
      for (let run = 0; run < 30; run += 1) await short();
    });
    ratios.push((await timeOf(long)) / shortTime);
  }
  // The first round compiles. Walking and checking the events of all earlier agents at each step made it 8 to 12.
  expect(Math.min(...ratios.slice(1))).toBeLessThan(4);
});

it('takes a step of a chain whose agents write a key each at less than four times the cost of one that writes one key', async () => {
  const [one, each] = [runOf(1000), runOf(1000, (index) => `k${index}`)];
  const ratios: number[] = [];
  for (let round = 0; round < 6; round += 1) ratios.push((await timeOf(each)) / (await timeOf(one)));
  // Copying the state field by field at each step made it 4.5 to 6.
  expect(Math.min(...ratios.slice(2))).toBeLessThan(4);
});
