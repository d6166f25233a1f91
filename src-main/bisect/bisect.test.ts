import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bisect } from './bisect.ts';
import type { Verdict } from './judge-version.ts';

const verdicts = (size: number, first: number, skipped: ReadonlySet<number>): Verdict['verdict'][] =>
  Array.from({ length: size }, (_, at) => (skipped.has(at) && at < size - 1 ? 'skipped' : at < first ? 'good' : 'bad'));

test('finds the first bad version, and with it exactly the skipped ones next to it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 59 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 59 })),
      async (size, at, skips) => {
        const all = verdicts(size, Math.min(at, size - 1), new Set(skips));
        const { candidates, tested } = await bisect(
          all.map((_, index) => ({ index })),
          async ({ index }) => ({ verdict: all[index] as Verdict['verdict'], reason: '' }),
        );
        const bad = all.indexOf('bad');
        const good = all.lastIndexOf('good');
        expect(candidates.map(({ index }) => index)).toEqual(Array.from({ length: bad - good }, (_, offset) => good + 1 + offset));
        expect(new Set(tested.map(({ index }) => index)).size).toBe(tested.length);
      },
    ),
  );
});

test('judges a number of versions that grows with the logarithm of their number', async () => {
  let judged = 0;
  const { candidates } = await bisect(
    Array.from({ length: 1000 }, (_, index) => ({ index })),
    async ({ index }) => {
      judged += 1;
      return { verdict: index < 617 ? 'good' : 'bad', reason: '' };
    },
  );
  expect(candidates).toMatchObject([{ index: 617, verdict: 'bad' }]);
  expect(judged).toBeLessThanOrEqual(12);
});
