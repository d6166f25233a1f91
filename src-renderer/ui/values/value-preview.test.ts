import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#shared/json.ts';
import { processorTime } from '#shared/testing/processor-time.ts';
import { previewOf } from './value-preview.ts';

describe('a preview', () => {
  it('reads like a literal, on one line', () => {
    expect(previewOf({ range: 'v1..HEAD', list: [1, null, true], 'a key': {} })).toBe(
      '{ range: "v1..HEAD", list: [1, null, true], "a key": {} }',
    );
    expect(previewOf('a\nb')).toBe('"a\\nb"');
    expect(previewOf([])).toBe('[]');
  });

  it('is never longer than requested and has no line break', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 60 }), (value, length) => {
        const text = previewOf(value as Json, length);
        expect(text.length).toBeLessThanOrEqual(length);
        expect(text).not.toContain('\n');
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it('takes time for what it shows, not for the size of the value', () => {
    const heavy = { text: 'x'.repeat(5_000_000), list: Array.from({ length: 200_000 }, (_, index) => index) };
    const time = processorTime(() => {
      for (let index = 0; index < 100; index++) previewOf(heavy, 80);
    });
    expect(time).toBeLessThan(500);
  });
});
