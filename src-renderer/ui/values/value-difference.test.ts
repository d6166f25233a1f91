import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json } from '#shared/json.ts';
import { type Difference, differenceOf, sameValue } from './value-difference.ts';

const show = (difference: Difference): unknown => {
  const parts = difference.parts();
  return parts.length === 0 || difference.kind !== 'changed' || difference.before !== undefined
    ? difference.kind
    : Object.fromEntries(parts.map((part) => [`${part.key}`, show(part)]));
};

/** Puts a value together again from a difference, as it is now or as it was. */
function rebuild(difference: Difference, side: 'now' | 'before'): Json {
  if (difference.kind !== 'changed') return difference.value;
  if (difference.before !== undefined) return side === 'now' ? difference.value : difference.before;
  const parts = difference.parts().filter(({ kind }) => kind !== (side === 'now' ? 'removed' : 'added'));
  if (Array.isArray(difference.value)) return parts.map((part) => rebuild(part, side));
  return Object.fromEntries(parts.map((part) => [part.key, rebuild(part, side)]));
}

const value = fc.jsonValue({ maxDepth: 3 }).map((made) => JSON.parse(JSON.stringify(made)) as Json);

describe('the difference of two values', () => {
  it('finds added, removed, changed and equal parts', () => {
    const difference = differenceOf(
      { a: 1, b: [1, 2], gone: true, deep: { x: 1, y: 2 } },
      { a: 1, b: [1, 2, 3], deep: { x: 1, y: 3 }, come: null },
    );
    expect(show(difference)).toEqual({
      a: 'same',
      b: { 0: 'same', 1: 'same', 2: 'added' },
      deep: { x: 'same', y: 'changed' },
      come: 'added',
      gone: 'removed',
    });
  });

  it('treats an item inserted into a list as one added item', () => {
    expect(
      differenceOf(['a', 'c'], ['a', 'b', 'c'])
        .parts()
        .map(({ kind }) => kind),
    ).toEqual(['same', 'added', 'same']);
  });

  it('shows items left out of a list as removed and the others as the same', () => {
    const parts = differenceOf(['a', 'b', 'c', 'd', 'e'], ['b', 'd']).parts();
    expect(parts.map(({ kind, value }) => `${kind} ${value}`)).toEqual(['removed a', 'same b', 'removed c', 'same d', 'removed e']);
  });

  it('compares the items of two lists that have the same id', () => {
    const parts = differenceOf(
      [
        { id: 1, done: false },
        { id: 2, done: false },
        { id: 3, done: false },
      ],
      [
        { id: 2, done: true },
        { done: false, id: 3 },
        { id: 4, done: false },
      ],
    ).parts();
    expect(parts.map((part) => [part.kind, isJsonObject(part.value) && part.value.id])).toEqual([
      ['removed', 1],
      ['changed', 2],
      ['same', 3],
      ['added', 4],
    ]);
    expect(show(parts[1] as Difference)).toEqual({ id: 'same', done: 'changed' });
  });

  it('treats items with the same fields in another order as equal', () => {
    const parts = differenceOf([{ x: 1 }, { a: 1, b: { c: 2, d: 3 } }], [{ b: { d: 3, c: 2 }, a: 1 }, { y: 1 }]).parts();
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'same', 'added']);
  });

  it('compares long lists that have nothing in common in bounded time', () => {
    const list = (from: number) => Array.from({ length: 20_000 }, (_, index) => `item ${from + index}`);
    const parts = differenceOf(list(0), list(50_000)).parts();
    expect(parts).toHaveLength(20_000);
    expect(parts[0]).toMatchObject({ kind: 'changed', before: 'item 0', value: 'item 50000' });
  });

  it('contains both values completely', () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        const difference = differenceOf(before, after);
        expect(sameValue(rebuild(difference, 'now'), after)).toBe(true);
        expect(sameValue(rebuild(difference, 'before'), before)).toBe(true);
        expect(difference.kind === 'same').toBe(sameValue(before, after));
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  it('treats equal JSON values as equal', () => {
    fc.assert(
      fc.property(value, (one) => {
        const shuffled = (part: Json): Json =>
          Array.isArray(part)
            ? part.map(shuffled)
            : isJsonObject(part)
              ? Object.fromEntries(
                  Object.entries(part)
                    .reverse()
                    .map(([key, inner]) => [key, shuffled(inner)]),
                )
              : part;
        expect(sameValue(one, shuffled(one))).toBe(true);
      }),
      { seed: 6 },
    );
    expect(sameValue({}, [])).toBe(false);
    expect(sameValue(JSON.parse('{"__proto__":1}'), {})).toBe(false);
  });
});
