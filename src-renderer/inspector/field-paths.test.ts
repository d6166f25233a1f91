import { describe, expect, test } from 'vitest';
import { completed, completionAt, fieldPaths } from './field-paths.ts';

const schema = {
  type: 'object',
  properties: { subject: { type: 'string' }, customer: { $ref: '#/$defs/Customer' }, 'no name': {} },
  $defs: { Customer: { properties: { name: {}, home: { properties: { city: { properties: { deep: {} } } } } } } },
};

test('fields are named outer ones first, local references followed', () => {
  expect(fieldPaths(schema)).toEqual(['subject', 'customer', 'customer.name', 'customer.home', 'customer.home.city']);
  expect(fieldPaths(true)).toEqual([]);
  expect(fieldPaths({ properties: { self: { $ref: '#' } } })).toEqual(['self']);
});

describe('a placeholder that is being written', () => {
  const fields = ['subject', 'customer', 'customer.name'];

  test.each([
    ['is offered all fields at its brace', 'Hi {', fields],
    ['is offered what contains its text', 'Hi {cust', ['customer', 'customer.name']],
    ['is offered nothing in plain text', 'Hi ', null],
    ['is offered nothing after two braces, which are one', 'Hi {{', null],
    ['is offered fields after an escaped brace', 'Hi {{{', fields],
    ['is offered nothing where nothing fits', 'Hi {zzz', null],
    ['is offered nothing once it is closed', 'Hi {subject} ', null],
  ])('%s', (_, text, options) => {
    expect(completionAt(text, text.length, fields)?.options ?? null).toEqual(options);
  });

  test('is completed with its brace, what was left of it replaced', () => {
    expect(completed('Hi {cus, there', 7, 4, 'customer')).toEqual({ text: 'Hi {customer}, there', caret: 13 });
    expect(completed('Hi {cus} there', 6, 4, 'customer')).toEqual({ text: 'Hi {customer} there', caret: 13 });
  });
});
