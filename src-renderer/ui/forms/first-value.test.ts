import { describe, expect, it } from 'vitest';
import { firstValue } from './first-value.ts';

describe('the first value of an editor', () => {
  it('is a valid empty value, if there is no form', () => {
    expect(firstValue(true)).toEqual({});
    expect(firstValue({ type: 'object' })).toEqual({});
    expect(firstValue({ type: 'array' })).toEqual([]);
    expect(firstValue({ type: 'object', required: ['a'] })).toBeUndefined();
    expect(firstValue({ type: 'null' })).toBeUndefined();
  });

  it('is left to the form, if there is one', () => {
    expect(firstValue({ type: 'object', properties: { a: { default: 1 } } })).toBeUndefined();
  });
});
