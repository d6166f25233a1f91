import { expect, test } from 'vitest';
import type { Json } from '#shared/json.ts';
import { schemaFields, typeOf } from './schema-fields.ts';

test.each<[string, Json]>([
  ['string', { type: 'string' }],
  ['string or null', { type: ['string', 'null'] }],
  ['"read", "write"', { enum: ['read', 'write'] }],
  ['true', { const: true }],
  ['list of integer', { type: 'array', items: { type: 'integer' } }],
  ['list', { type: 'array' }],
  ['string or number', { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] }],
  ['anything', {}],
  ['anything', true],
])('returns %s for %j', (words, schema) => {
  expect(typeOf(schema)).toBe(words);
});

test('lists the fields of a schema, and none for a schema without fields', () => {
  const properties = { path: { type: 'string', description: 'Where' }, deep: {} };
  expect(schemaFields({ type: 'object', properties, required: ['path'] })).toEqual([
    { name: 'path', type: 'string', required: true, description: 'Where' },
    { name: 'deep', type: 'anything', required: false, description: '' },
  ]);
  expect(schemaFields({ type: 'object' })).toBeNull();
  expect(schemaFields(true)).toBeNull();
});
