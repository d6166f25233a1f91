import { expect, it } from 'vitest';
import type { Json } from '#shared/json.ts';
import { floatJson } from '#shared/run/float-json.ts';
import { coerceAnswer } from './coerce.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    count: { type: 'integer', minimum: 10 },
    price: { type: 'number' },
    ok: { type: 'boolean' },
    tags: { type: 'array' },
    rows: { type: 'array', items: { type: 'object', properties: { q: { type: 'number' } }, required: ['q'] } },
  },
  required: ['name'],
};

it.each<[Json, Json, string[]]>([
  [{ name: 'a', count: '5', price: 2, ok: 'yes', extra: 1, tags: null }, { name: 'a', count: 5, price: 2, ok: true }, ['/price']],
  [{ name: 'a', count: 3.0, price: '1e2', ok: 0 }, { name: 'a', count: 3, price: 100, ok: false }, ['/price']],
  [{ name: 'a', rows: [{ q: 1.5 }, { q: '2' }], tags: ['x'] }, { name: 'a', tags: ['x'], rows: [{ q: 1.5 }, { q: 2 }] }, ['/rows/1/q']],
])('reads %j as pydantic does', (answer, value, floats) => {
  expect(coerceAnswer(schema, answer)).toEqual({ value, floats });
});

it.each<[Json, string]>([
  [{}, '/name is missing'],
  [{ name: null }, '/name must be text'],
  [{ name: 5 }, '/name must be text'],
  [{ name: 'a', count: 'many' }, '/count must be a whole number'],
  [{ name: 'a', count: 1.5, ok: 'maybe' }, '/count must be a whole number; /ok must be true or false'],
  [{ name: 'a', rows: [{}] }, '/rows/0/q is missing'],
  ['text', 'it must be an object'],
])('rejects %j: %s', (answer, problem) => {
  expect(coerceAnswer(schema, answer)).toEqual({ problem });
});

it('writes JSON without spaces in which floats keep their point', () => {
  expect(floatJson({ value: { a: 3, 'b/c': [1, 2] }, floats: ['/a', '/b~1c/1'] })).toBe('{"a":3.0,"b/c":[1,2.0]}');
});
