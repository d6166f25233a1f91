import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { processorTime } from '#shared/testing/processor-time.ts';
import { checkSchema, compileSchema } from './schema-validator.ts';

describe('compileSchema', () => {
  it('shares one check between schemas of the same canonical text', () => {
    expect(compileSchema({ type: 'object', required: ['a'] })).toBe(compileSchema({ required: ['a'], type: 'object' }));
    expect(compileSchema({ type: 'object', required: ['a'], description: 'A.' })).toBe(compileSchema({ type: 'object', required: ['a'] }));
  });

  it.each([
    [
      { type: 'object', properties: { a: { type: 'object', properties: { 'b/c': { type: 'integer' } } } } },
      { a: { 'b/c': 'x' } },
      '/a/b~1c',
      'type',
    ],
    [{ required: ['zip'] }, {}, '/zip', 'required'],
    [{ properties: { a: {} }, additionalProperties: false }, { b: 1 }, '/b', 'additionalProperties'],
    [{ enum: ['a', 'b'] }, 'c', '', 'enum'],
    [{ type: 'string', format: 'date' }, 'tomorrow', '', 'format'],
    [{ prefixItems: [{ type: 'string' }] }, [1], '/0', 'type'],
    [{ $defs: { n: { type: 'number' } }, items: { $ref: '#/$defs/n' } }, [1, 'x'], '/1', 'type'],
    [false, 1, '', 'false schema'],
  ])('says where a value misses %j', (schema, value, path, keyword) => {
    expect(compileSchema(schema)(value)).toMatchObject({ path, keyword });
  });

  it('looks at own fields only', () => {
    expect(compileSchema({ required: ['toString'] })({})).toMatchObject({ path: '/toString' });
  });

  it('never changes the value', () => {
    const value = Object.freeze({});
    expect(compileSchema({ properties: { a: { type: 'string', default: 'x' } } })(value)).toBeNull();
    expect(value).toEqual({});
  });

  it('follows a schema that names itself', () => {
    const tree = compileSchema({
      $ref: '#/$defs/node',
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' } }, required: ['v'] } },
    });
    expect(tree({ v: 1, next: { v: 2 } })).toBeNull();
    expect(tree({ v: 1, next: {} })).toMatchObject({ path: '/next/v' });
  });

  it('lets two schemas have the same $id', () => {
    expect(compileSchema({ $id: 'urn:same:id', type: 'string' })('x')).toBeNull();
    expect(compileSchema({ $id: 'urn:same:id', type: 'number' })('x')).not.toBeNull();
  });

  it('keeps several patterns apart', () => {
    const check = compileSchema({
      properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } },
      patternProperties: { '^x': { type: 'number' } },
    });
    expect(check({ a: 'a', b: 'b', x1: 1 })).toBeNull();
    expect(check({ a: 'b' })).toMatchObject({ path: '/a' });
    expect(check({ b: 'a' })).toMatchObject({ path: '/b' });
    expect(check({ x1: 'text' })).toMatchObject({ path: '/x1' });
  });

  it('matches patterns in linear time', () => {
    const check = compileSchema({ type: 'string', pattern: '^(a+)+$' });
    const time = processorTime(() => expect(check(`${'a'.repeat(50_000)}b`)).toMatchObject({ keyword: 'pattern' }));
    expect(time).toBeLessThan(5_000);
    expect(check('aaa')).toBeNull();
  });

  it('throws Invalid for a schema that cannot be used', () => {
    expect(() => compileSchema({ $ref: '#/$defs/gone' })).toThrow(FlowError);
  });
});

describe('checkSchema', () => {
  it.each([
    [{ type: 'nonsense' }, '/type'],
    [{ properties: { a: { minimum: 'x' } } }, '/properties/a/minimum'],
    [{ $ref: 'https://elsewhere.example/schema.json' }, ''],
    [{ $ref: '#/$defs/gone' }, ''],
    [{ pattern: '(?=lookahead)' }, ''],
    [{ pattern: '(' }, ''],
    [{ properties: { a: { $async: true } } }, '/properties/a/$async'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, ''],
    ['text', ''],
  ])('refuses %j', (schema, path) => {
    expect(checkSchema(schema)).toMatchObject({ path });
  });

  it.each([
    [true],
    [{}],
    [{ properties: { $async: { type: 'string' } }, enum: [{ $async: true }] }],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', unknown_keyword: 1, format: 'unheard-of' }],
  ])('accepts %j', (schema) => {
    expect(checkSchema(schema)).toBeNull();
  });
});

it('follows references of a schema to itself, and keeps schemas of one $id apart', () => {
  const tree = (leaf: string): JsonSchema => ({ $id: 'tree', anyOf: [{ type: leaf }, { type: 'array', items: { $ref: '#' } }] });
  const numbers = compileSchema(tree('number'));
  const texts = compileSchema(tree('string'));
  expect([numbers([1, [2]]), texts(['a', ['b']])]).toEqual([null, null]);
  expect([numbers([1, ['b']]), texts(['a', [2]])]).not.toContain(null);
  expect(compileSchema({ type: 'object', additionalProperties: { $ref: '#' } })({ a: { b: {} } })).toBeNull();
});

it('remembers the checks that were asked for last, and not every one that ever was', () => {
  const [asked, forgotten] = [{ const: 'asked for again' }, { const: 'forgotten' }].map(
    (schema) => [schema, compileSchema(schema)] as const,
  );
  for (let index = 0; index < 2000; index += 1) {
    compileSchema({ const: index });
    if (asked) expect(compileSchema(asked[0])).toBe(asked[1]);
  }
  expect(forgotten && compileSchema(forgotten[0])).not.toBe(forgotten?.[1]);
  expect(forgotten?.[1]('forgotten')).toBeNull();
});
