import { describe, expect, test } from 'vitest';
import type { Json, JsonSchema } from '#shared/json.ts';
import { prefilled, yesOrNo } from './prefill.ts';

const reply: JsonSchema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    score: { type: 'integer' },
    tags: { $ref: '#/$defs/tags' },
    approved: { type: 'boolean' },
    urgent: { type: 'boolean' },
    notify: { type: 'boolean', default: true },
  },
  required: ['text', 'approved', 'notify'],
  $defs: { tags: { type: 'array', items: { type: 'string' } } },
};

describe('a form', () => {
  test('starts with the matching fields of the state, and with no for a required boolean', () => {
    const state = { text: 'Dear Ann', score: 'high', tags: ['a'], customer: 'Ann' };
    expect(prefilled(reply, state)).toEqual({ value: { text: 'Dear Ann', tags: ['a'], approved: false }, fromState: true });
  });

  test('prefills a boolean from the state', () => {
    expect(prefilled(reply, { approved: true, urgent: true }).value).toEqual({ approved: true, urgent: true });
  });

  test.each([
    ['a text', { type: 'string' }, 'Dear Ann', 'Dear Ann', true],
    ['nothing of another type', { type: 'string' }, { text: 'x' }, undefined, false],
    ['an empty object where any value will do', true, 'x', {}, false],
    ['nothing where no field has the same name', { type: 'object', properties: { a: { type: 'string' } } }, { b: 'x' }, undefined, false],
  ] as const)('begins with %s', (_title, schema, state, value, fromState) => {
    expect(prefilled(schema as JsonSchema, state as Json)).toEqual({ value, fromState });
  });
});

describe('a yes-or-no', () => {
  test('is a boolean, or the only field of an object', () => {
    expect(yesOrNo({ type: 'boolean', title: 'Send it?' })).toMatchObject({ label: 'Send it?' });
    const field = yesOrNo({ type: 'object', properties: { send: { type: 'boolean', description: 'To Ann.' } } });
    expect(field).toMatchObject({ label: 'send', description: 'To Ann.' });
    expect([field?.answer(true), field?.answer(false)]).toEqual([{ send: true }, { send: false }]);
  });

  test.each<[string, JsonSchema]>([
    ['one of several fields', reply],
    ['a field that must be true', { type: 'object', properties: { sure: { type: 'boolean', const: true } } }],
    ['a text', { type: 'string' }],
    ['anything', true],
  ])('is not %s', (_title, schema) => expect(yesOrNo(schema)).toBeNull());
});
