import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReadyHeap } from './ready-heap.ts';

it('always has the entry of the smallest order on top', () => {
  const operation = fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
      const heap = new ReadyHeap<number>();
      let model: number[] = [];
      for (const order of operations) {
        if (order === undefined) {
          heap.pop();
          model = model.slice(1);
        } else {
          heap.push(order, order);
          model = [...model, order].sort((one, other) => one - other);
        }
        expect(heap.top).toBe(model[0]);
      }
    }),
    { seed: 11, numRuns: 300 },
  );
});
