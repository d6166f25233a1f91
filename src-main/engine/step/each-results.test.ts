import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { StepRecord } from '#main/engine/ports/recorder.ts';
import { each, flowOf, pure, quietContext, work } from '#main/engine/testing/flows.ts';
import { goOn } from '#main/engine/testing/run-to-end.ts';
import { listOf, withResult } from './each-results.ts';

describe('the results of an each node', () => {
  it('keep their order, in few runs', () => {
    let results: ReturnType<typeof withResult> = [];
    for (let index = 0; index < 1000; index += 1) results = withResult(results, [index]);
    expect(listOf(results)).toEqual(Array.from({ length: 1000 }, (_, index) => [index]));
    expect(results.map(({ length }) => length)).toEqual([512, 256, 128, 64, 32, 8]);
  });

  it('leave the list as it was to who still has it', () => {
    const before = withResult(withResult([], 1), 2);
    withResult(withResult(before, 3), 4);
    expect(before).toEqual([[1, 2]]);
  });

  it('make the work of a long list grow with its length, and not with its square', async () => {
    const work250 = await newOnRecord(250);
    const work2000 = await newOnRecord(2000);
    // Eight times as many items, and three more levels of runs; the square would be 64.
    expect(work2000 / work250).toBeLessThan(8 * 1.5);
  });
});

/** How many values and containers of the control part are new with each record of a run over a list, all records together. */
async function newOnRecord(length: number): Promise<number> {
  const item = flowOf([
    work(
      'Item',
      'Out',
      pure((n: number) => n + 1),
    ),
  ]);
  const items = Array.from({ length }, (_, index) => index);
  const known = new WeakSet<object>();
  let count = 0;
  const look = (value: unknown): void => {
    count += 1;
    if (typeof value !== 'object' || value === null || known.has(value)) return;
    known.add(value);
    for (const field of Object.values(value)) look(field);
  };
  const recorder = { commit: ({ control }: StepRecord) => look(control), effect: () => Promise.reject(new Error('There is no effect.')) };
  const runtime = FlowRuntime.new(flowOf([each('List', 'Results', item)], { limits: { steps: 2 * length + 1 } }), items, { recorder });
  expect(await goOn(runtime, quietContext())).toMatchObject({ type: 'done', output: items.map((n) => n + 1) });
  return count;
}
