import { describe, expect, it } from 'vitest';
import { firstValue } from './first-value.ts';

describe('the value that an editor begins with', () => {
  it('is an empty one that fits, where there is no form', () => {
    expect(firstValue(true)).toEqual({});
    expect(firstValue({ type: 'object' })).toEqual({});
    expect(firstValue({ type: 'array' })).toEqual([]);
    expect(firstValue({ type: 'object', required: ['a'] })).toBeUndefined();
    expect(firstValue({ type: 'null' })).toBeUndefined();
  });

  it('is left to the form where there is one', () => {
    expect(firstValue({ type: 'object', properties: { a: { default: 1 } } })).toBeUndefined();
  });
});
