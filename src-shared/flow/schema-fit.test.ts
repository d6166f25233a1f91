import { describe, expect, it } from 'vitest';
import type { Json } from '#shared/json.ts';
import { schemaFit } from './schema-fit.ts';

const mail = { type: 'object', properties: { from: { type: 'string' }, size: { type: 'integer' } }, required: ['from', 'size'] };

describe('schemaFit', () => {
  it.each<[string, Json, Json, string, (string | undefined)?]>([
    ['equal schemas, whatever they are called', mail, { ...mail, title: 'A mail' }, 'equal'],
    ['anything where nothing is asked', mail, {}, 'all'],
    ['a schema with more fields than are needed', mail, { type: 'object', properties: { from: {} }, required: ['from'] }, 'all'],
    ['an integer where a number is taken', { type: 'integer' }, { type: 'number' }, 'all'],
    ['a number where an integer is taken', { type: 'number' }, { type: 'integer' }, 'some'],
    ['an object without a required field', { type: 'object', properties: {} }, mail, 'some', 'from'],
    ['a field that is there only sometimes', { ...mail, required: ['from'] }, mail, 'some', 'size'],
    [
      'a nested field',
      { type: 'object', properties: { mail: { type: 'object' } }, required: ['mail'] },
      { type: 'object', properties: { mail }, required: ['mail'] },
      'some',
      'mail.from',
    ],
    ['another type', { type: 'string' }, mail, 'none'],
    ['another type of a field', { ...mail, properties: { ...mail.properties, size: { type: 'string' } } }, mail, 'none'],
    ['a field that is not taken', mail, { type: 'object', properties: { from: {} }, additionalProperties: false }, 'none'],
    ['a field that can never be there', { type: 'object', additionalProperties: false }, mail, 'none'],
    ['items of another type', { type: 'array', items: { type: 'string' } }, { type: 'array', items: mail }, 'none'],
    ['values of an enum', { enum: ['a'] }, { enum: ['a', 'b'] }, 'all'],
    ['other values', { enum: ['c'] }, { enum: ['a', 'b'] }, 'none'],
    ['a keyword that it cannot decide', { type: 'string' }, { type: 'string', pattern: '^a' }, 'some'],
  ])('%s', (_, produced, accepted, fit, missing) => {
    expect(schemaFit(produced, accepted)).toMatchObject({ fit, ...(missing !== undefined && { missing }) });
  });

  it('says why nothing fits', () => {
    expect(schemaFit({ type: 'string' }, mail).reason).toBe('It takes object, not string.');
    expect(schemaFit({ ...mail, properties: { ...mail.properties, size: { type: 'string' } } }, mail).reason).toBe(
      'Its field size takes integer, not string.',
    );
  });
});
