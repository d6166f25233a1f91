import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '#shared/json.ts';
import { isPlainSchema, withoutAnnotations } from './plain-schema.ts';

const keywords = [
  'type',
  'properties',
  'additionalProperties',
  'required',
  'items',
  'prefixItems',
  'anyOf',
  'enum',
  'const',
  'title',
].concat(['minimum', 'minLength', 'maxItems', 'pattern', '$ref', 'not']);
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>('string', 'object', 'x', 1, -1, 0.5, null, true, 'a', '#'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keywords), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

test('takes nothing for plain that the schema of schemas refuses, or that cannot be compiled', () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  let plain = 0;
  fc.assert(
    fc.property(value, (schema) => {
      if (!isPlainSchema(schema)) return;
      plain += 1;
      expect(ajv.validateSchema(schema as object)).toBe(true);
      expect(() => ajv.compile(schema as object)).not.toThrow();
    }),
    { seed: 7, numRuns: 5000 },
  );
  expect(plain).toBeGreaterThan(200);
});

test('knows common schemas as plain, and asks about the rest', () => {
  expect(isPlainSchema({ type: 'object', properties: { i: { type: 'number', minimum: 1 } }, required: ['i'] })).toBe(true);
  const others: readonly Json[] = [
    { type: 'text' },
    { required: ['a', 'a'] },
    { pattern: 'a' },
    { minLength: -1 },
    { enum: [] },
    3,
    { $async: true },
  ];
  expect(others.filter(isPlainSchema)).toEqual([]);
});

test('leaves titles and descriptions out of schemas, and nothing else', () => {
  const schema = {
    title: 'T',
    properties: { title: { description: 'D', const: { title: 'kept' } }, description: { items: { title: 'T', enum: ['a'] } } },
    required: ['title'],
    anyOf: [{ description: 'D', minLength: 1 }, true],
  };
  expect(isPlainSchema(schema)).toBe(true);
  expect(withoutAnnotations(schema)).toEqual({
    properties: { title: { const: { title: 'kept' } }, description: { items: { enum: ['a'] } } },
    required: ['title'],
    anyOf: [{ minLength: 1 }, true],
  });
});
