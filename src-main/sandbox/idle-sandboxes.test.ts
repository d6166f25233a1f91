import { expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf, quietContext, run, work } from '#main/engine/testing/flows.ts';
import { goOn } from '#main/engine/testing/run-to-end.ts';
import { LentSandbox } from './idle-sandboxes.ts';

it('lends a machine that was given back to the next run of the same flow only', async () => {
  const [flow, other] = [{}, {}];
  const first = await LentSandbox.of(flow);
  const beside = await LentSandbox.of(flow);
  expect(beside.sandbox).not.toBe(first.sandbox);
  first.dispose();
  first.dispose();
  expect(first.usable).toBe(false);
  expect((await LentSandbox.of(other)).sandbox).not.toBe(first.sandbox);
  expect((await LentSandbox.of(flow)).sandbox).toBe(first.sandbox);
  expect((await LentSandbox.of(flow)).sandbox).not.toBe(first.sandbox);
});

it('lends no machine a second time whose limits were overrun', async () => {
  const flow = {};
  const lent = await LentSandbox.of(flow);
  lent.sandbox.dispose();
  lent.dispose();
  expect((await LentSandbox.of(flow)).sandbox).not.toBe(lent.sandbox);
});

it('lets a run find nothing of the run before it', async () => {
  const source = `(input) => {
    const seen = globalThis.leak ?? Math.leak ?? input.leak ?? null;
    try { globalThis.leak = Math.leak = 'leak'; } catch {}
    return { seen, random: Math.random() };
  }`;
  const graph = flowOf([work('A', 'Z', run(source))]);
  const outputs = [];
  for (const run_id of ['one', 'two', 'one']) outputs.push(await goOn(FlowRuntime.new(graph, {}, { run_id }), quietContext()));
  expect(outputs).toMatchObject(outputs.map(() => ({ type: 'done', output: { seen: null } })));
  expect(outputs[2]).toEqual(outputs[0]);
  expect(outputs[1]).not.toEqual(outputs[0]);
});
