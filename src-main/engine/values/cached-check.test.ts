import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json, JsonSchema } from '#shared/json.ts';
import { cachedCheck } from './cached-check.ts';
import { freezeJson } from './freeze-json.ts';
import { compileSchema, type SchemaCheck } from './schema-validator.ts';

const rows = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } };
const schema: JsonSchema = {
  type: 'object',
  properties: { i: { type: 'number' }, rows, inner: { type: 'object', properties: { rows }, required: ['rows'] } },
  required: ['i', 'rows'],
  additionalProperties: false,
};
const many = Array.from({ length: 300 }, (_, id) => ({ id }));

it('checks a large list that is carried on once, and what is new around it each time', () => {
  const looked: Json[] = [];
  const compile = (part: JsonSchema): SchemaCheck => {
    const check = compileSchema(part);
    return (value) => {
      looked.push(value);
      return check(value);
    };
  };
  const check = cachedCheck(schema, compileSchema(schema), compile);
  const checked = (value: Json) => {
    expect(freezeJson(value)).toBeNull();
    return check(value);
  };
  const carried = [...many];
  for (let i = 0; i < 3; i += 1) expect(checked({ i, rows: carried })).toBeNull();
  expect(looked.filter((value) => value === carried)).toHaveLength(1);
  expect(checked({ i: 'x', rows: carried })).toMatchObject({ path: '/i', keyword: 'type' });
  expect(checked({ i: 1, rows: [...many, { id: 'x' }] })).toMatchObject({ path: '/rows/300/id', keyword: 'type' });
  expect(checked({ i: 1, rows: carried, other: 1 })).toMatchObject({ path: '/other', keyword: 'additionalProperties' });
  expect(checked({ i: 1, rows: { carried } })).toMatchObject({ path: '/rows', keyword: 'type' });
});

it('has the same result as the check of the whole schema', () => {
  const check = cachedCheck(schema, compileSchema(schema), compileSchema);
  const whole = compileSchema({ allOf: [schema] });
  const list = fc.oneof(
    fc.constant(many as Json),
    fc.constant([...many, { id: 0.5 }] as Json),
    fc.constant<Json>([{}]),
    fc.constant<Json>('none'),
  );
  const value = fc.record(
    {
      i: fc.oneof(fc.integer(), fc.integer(), fc.string()),
      rows: list,
      inner: fc.oneof(fc.record({ rows: list }), list),
    },
    { requiredKeys: ['i', 'rows'], noNullPrototype: true },
  ) as fc.Arbitrary<Json>;
  let fitting = 0;
  fc.assert(
    fc.property(value, (json) => {
      expect(freezeJson(json)).toBeNull();
      const fits = whole(json) === null;
      fitting += fits ? 1 : 0;
      expect(check(json) === null).toBe(fits);
    }),
    { seed: 5, numRuns: 500 },
  );
  expect(fitting).toBeGreaterThan(10);
});
