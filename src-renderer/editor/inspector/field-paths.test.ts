import { describe, expect, test } from 'vitest';
import { completionAt, fieldPaths, insertCompletion } from './field-paths.ts';

const schema = {
  type: 'object',
  properties: { subject: { type: 'string' }, customer: { $ref: '#/$defs/Customer' }, 'no name': {} },
  $defs: { Customer: { properties: { name: {}, home: { properties: { city: { properties: { deep: {} } } } } } } },
};

test('fieldPaths lists outer fields first and follows local references', () => {
  expect(fieldPaths(schema)).toEqual(['subject', 'customer', 'customer.name', 'customer.home', 'customer.home.city']);
  expect(fieldPaths(true)).toEqual([]);
  expect(fieldPaths({ properties: { self: { $ref: '#' } } })).toEqual(['self']);
});

describe('the completion of a placeholder', () => {
  const fields = ['subject', 'customer', 'customer.name'];

  test.each([
    ['offers all fields after an opening brace', 'Hi {', fields],
    ['offers the fields that contain the typed text', 'Hi {cust', ['customer', 'customer.name']],
    ['offers nothing in plain text', 'Hi ', null],
    ['offers nothing after an escaped brace', 'Hi {{', null],
    ['offers fields after an escaped brace and an opening one', 'Hi {{{', fields],
    ['offers nothing when no field matches', 'Hi {zzz', null],
    ['offers nothing after the placeholder is closed', 'Hi {subject} ', null],
  ])('%s', (_, text, options) => {
    expect(completionAt(text, text.length, fields)?.options ?? null).toEqual(options);
  });

  test('inserts the closing brace and replaces the rest of the placeholder', () => {
    expect(insertCompletion('Hi {cus, there', 7, 4, 'customer')).toEqual({ text: 'Hi {customer}, there', caret: 13 });
    expect(insertCompletion('Hi {cus} there', 6, 4, 'customer')).toEqual({ text: 'Hi {customer} there', caret: 13 });
  });
});
