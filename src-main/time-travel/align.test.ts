import fc from 'fast-check';
import { expect, test } from 'vitest';
import { align } from './align.ts';

/** Length of a longest common subsequence, the plain way. */
function commonLength(first: readonly string[], second: readonly string[]): number {
  const best = Array.from({ length: first.length + 1 }, () => new Array<number>(second.length + 1).fill(0));
  const at = (x: number, y: number): number => best[x]?.[y] ?? 0;
  for (let x = 1; x <= first.length; x += 1) {
    for (let y = 1; y <= second.length; y += 1) {
      (best[x] as number[])[y] = first[x - 1] === second[y - 1] ? at(x - 1, y - 1) + 1 : Math.max(at(x - 1, y), at(x, y - 1));
    }
  }
  return at(first.length, second.length);
}

test('an alignment keeps both sequences whole and in order, with as much in common as there is', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 14 });
  fc.assert(
    fc.property(letters, letters, (first, second) => {
      const pairs = align(first, second);
      expect(pairs.flatMap(([one]) => (one === null ? [] : [one]))).toEqual(first.map((_, at) => at));
      expect(pairs.flatMap(([, other]) => (other === null ? [] : [other]))).toEqual(second.map((_, at) => at));
      const common = pairs.filter(([one, other]) => one !== null && other !== null);
      for (const [one, other] of common) expect(first[one as number]).toBe(second[other as number]);
      expect(common).toHaveLength(commonLength(first, second));
    }),
    { seed: 3, numRuns: 400 },
  );
});

test('two long sequences with nothing in common stand unaligned', () => {
  const pairs = align(
    Array.from({ length: 5000 }, (_, at) => `a${at}`),
    Array.from({ length: 5000 }, (_, at) => `b${at}`),
  );
  expect(pairs).toHaveLength(10_000);
});
