import { expect, test } from 'vitest';
import { Feed, latestBy } from './feed.ts';

test('every reader receives the values published after its start, in order', async () => {
  const feed = new Feed<number>();
  feed.publish(0);
  const [one, other] = [feed.read(undefined), feed.read(undefined)];
  feed.publish(1);
  feed.publish(2);
  feed.end();
  expect(await all(one)).toEqual([1, 2]);
  expect(await all(other)).toEqual([1, 2]);
});

test('a reader that leaves, by return or by abort, is forgotten', async () => {
  const feed = new Feed<number>();
  const abort = new AbortController();
  const [one, other] = [feed.read(undefined), feed.read(abort.signal)];
  const waiting = other.next();
  feed.publish(1);
  expect(await one.next()).toEqual({ done: false, value: 1 });
  await one.return();
  expect(await waiting).toEqual({ done: false, value: 1 });
  const end = other.next();
  abort.abort();
  expect(await end).toEqual({ done: true, value: undefined });
  expect(feed.hasReaders).toBe(false);
});

test('a reader that aborted before its first reading is forgotten too', async () => {
  const feed = new Feed<number>();
  const abort = new AbortController();
  feed.read(abort.signal);
  abort.abort();
  expect(feed.hasReaders).toBe(false);
});

test('the latest of each key waits for a slow reader', async () => {
  const feed = new Feed<{ id: string; n: number }>();
  const reader = feed.read(
    undefined,
    latestBy(({ id }) => id),
  );
  for (let n = 0; n < 1000; n += 1) feed.publish({ id: n % 2 ? 'odd' : 'even', n });
  feed.end();
  expect(await all(reader)).toEqual([
    { id: 'even', n: 998 },
    { id: 'odd', n: 999 },
  ]);
});

test('a buffering feed delivers unread values to the next reader, once', async () => {
  const feed = new Feed<number>({ keep: true });
  feed.publish(1);
  const [first, second] = [feed.read(undefined), feed.read(undefined)];
  feed.publish(2);
  feed.end();
  expect(await all(first)).toEqual([1, 2]);
  expect(await all(second)).toEqual([2]);
});

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const value of values) taken.push(value);
  return taken;
}
