import { expect, test } from 'vitest';
import type { JsonSchema } from '#shared/json.ts';
import { hasSecretFields, withoutSecretFields } from './secret-fields.ts';

const login: JsonSchema = {
  type: 'object',
  properties: {
    user: { type: 'string' },
    password: { type: 'string', format: 'password' },
    tokens: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'number' }, token: { type: 'string', writeOnly: true } } },
    },
  },
};

test.each([
  ['fields, also in lists', login, { user: 'ann', password: 'p', tokens: [{ id: 1, token: 't' }] }, { user: 'ann', tokens: [{ id: 1 }] }],
  ['all of a value that is secret itself', { type: 'string', format: 'password' }, 'p', undefined],
  ['all behind a reference, where the field is unknown', { $ref: '#/$defs/L', $defs: { L: login } }, { password: 'p' }, undefined],
  ['nothing where no field is secret', { type: 'object', properties: { a: {} } }, { a: 1, b: 2 }, { a: 1, b: 2 }],
  ['nothing where any value is allowed', true, { a: 1 }, { a: 1 }],
] as const)('removes %s', (_title, schema, value, expected) => {
  expect(withoutSecretFields(schema as JsonSchema, value as never)).toEqual(expected);
});

test('finds secret fields at any depth', () => {
  expect([login, { anyOf: [login] }, {}, true].map((schema) => hasSecretFields(schema as JsonSchema))).toEqual([true, true, false, false]);
});
