import { expect, test } from 'vitest';
import { RunSlots } from './run-slots.ts';

const never = new AbortController().signal;

test('grants slots in request order and skips requests that left the queue', async () => {
  const slots = new RunSlots(1);
  const first = slots.tryTake();
  expect(slots.tryTake()).toBeNull();
  const leaving = new AbortController();
  const order: string[] = [];
  const left = slots.take(leaving.signal);
  const [second, third] = ['second', 'third'].map((name) =>
    slots.take(never).then((release) => {
      order.push(name);
      return release;
    }),
  );
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  first?.();
  first?.();
  (await second)?.();
  (await third)?.();
  expect(order).toEqual(['second', 'third']);
  expect(slots.tryTake()).not.toBeNull();
  expect(slots.tryTake()).toBeNull();
});
