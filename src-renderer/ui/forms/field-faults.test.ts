import { describe, expect, it } from 'vitest';
import type { Json, JsonSchema } from '#shared/json.ts';
import { processorTime } from '#shared/testing/processor-time.ts';
import { faultsOf } from './field-faults.ts';

const texts = (schema: JsonSchema, value: Json | undefined) =>
  faultsOf(schema, value).map(({ path, message }) => `/${path.join('/')}: ${message}`);

describe('the errors of a value', () => {
  it('are empty for a valid value', () => {
    expect(texts({ type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }, { a: 1 })).toEqual([]);
    expect(texts(true, null)).toEqual([]);
  });

  it('are at their fields, as sentences', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['path', 'list', 'a/b'],
      additionalProperties: false,
      properties: {
        path: { type: 'string', minLength: 1 },
        list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer', maximum: 5 } } } },
        level: { enum: ['low', 'high'] },
        'a/b': { type: ['string', 'null'] },
      },
    };
    expect(texts(schema, { path: '', list: [{ n: 1 }, { n: 7 }, { n: 'x' }], level: 'mid', extra: 1 })).toEqual([
      '/a/b: Required',
      '/path: Must have at least 1 characters',
      '/list/1/n: Must be at most 5',
      '/list/2/n: Must be a whole number',
      '/level: Must be one of ["low","high"]',
      '/extra: Not allowed here',
    ]);
    expect(texts({ properties: { 'a/b': { type: ['string', 'null'] } } }, { 'a/b': 1 })).toEqual(['/a/b: Must be text or null']);
  });

  it('follow local references', () => {
    const schema: JsonSchema = { $defs: { N: { type: 'number', minimum: -1.5 } }, type: 'array', items: { $ref: '#/$defs/N' } };
    expect(texts(schema, [0, -2])).toEqual(['/1: Must be at least -1.5']);
  });

  it('report an empty form', () => {
    expect(texts({ type: 'string' }, undefined)).toEqual(['/: Required']);
  });

  it('skip regular expressions, so that none can freeze the page', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { pattern: { type: 'string', pattern: '^(a+)+$' } },
      patternProperties: { '(b+)+$': false },
    };
    const value = { pattern: `${'a'.repeat(40)}!`, [`${'b'.repeat(40)}!`]: 1 };
    expect(processorTime(() => expect(texts(schema, value)).toEqual([]))).toBeLessThan(200);
    expect(texts(schema, { pattern: 1 })).toEqual(['/pattern: Must be text']);
  });

  it('are empty when the schema can’t be read here', () => {
    expect(texts({ $ref: 'https://example.invalid/schema' }, 1)).toEqual([]);
  });
});
