import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareStructure } from './share-structure.ts';

describe('shareStructure', () => {
  it('returns the previous object if nothing changed, and always equal content', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        expect(shareStructure(before, after)).toEqual(after);
        const copy = JSON.parse(JSON.stringify(before)) as unknown;
        expect(shareStructure(before, copy)).toBe(typeof before === 'object' ? before : copy);
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('shares every unchanged part, and mutates neither side', () => {
    const before = { a: [{ x: 1 }, { x: 2 }], b: { deep: { y: 1 } } };
    const after = { a: [{ x: 1 }, { x: 3 }], b: { deep: { y: 1 } } };
    const frozen = JSON.stringify([before, after]);
    const shared = shareStructure(before, after);
    expect(shared).toEqual(after);
    expect(shared.b).toBe(before.b);
    expect(shared.a[0]).toBe(before.a[0]);
    expect(shared.a[1]).toBe(after.a[1]);
    expect(JSON.stringify([before, after])).toBe(frozen);
  });

  it('supports fields of any name', () => {
    const text = '{"__proto__":{"x":1},"y":[1]}';
    const before = JSON.parse(text) as { y: number[] };
    const after = JSON.parse('{"__proto__":{"x":1},"y":[2]}') as { y: number[] };
    const shared = shareStructure(before, after);
    expect(JSON.stringify(shared)).toBe('{"__proto__":{"x":1},"y":[2]}');
    expect(Object.getPrototypeOf(shared)).toBe(Object.prototype);
  });
});
