import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '#main/engine/values/schema-validator.ts';
import { openAiRules } from '#main/models/testing/vendor-rules.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import { copySchema, Inexpressible } from './copy-schema.ts';
import { anthropicOutput, geminiSchema, openAiStrict } from './dialects.ts';
import { sentSchema } from './sent-schema.ts';

const recursive: JsonSchema = {
  $defs: {
    Tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/Tree' } } }, additionalProperties: false },
  },
  $ref: '#/$defs/Tree',
};

/** Objects of plain fields, some optional, some nullable, nested up to three deep. */
const fieldSchema: fc.Arbitrary<JsonSchema> = fc.letrec<{ node: JsonSchema }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonSchema[]>(
      { type: 'string' },
      { type: 'integer', minimum: 0 },
      { type: ['number', 'null'] },
      { enum: ['a', 'b'] },
      { const: 'only' },
      { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
    ),
    tie('node').map((items): JsonSchema => ({ type: 'array', items })),
    fc
      .tuple(fc.dictionary(fc.constantFrom('p', 'q', 'r'), tie('node'), { minKeys: 1 }), fc.subarray(['p', 'q', 'r']))
      .map(([properties, wanted]): JsonSchema => {
        const required = wanted.filter((name) => name in properties);
        return { type: 'object', properties, required, additionalProperties: false };
      }),
  ),
})).node;

/** A value of a schema in which everything that may be null is null: the least that a strict model may answer. */
function leastAnswer(schema: Json): Json {
  const {
    type,
    anyOf,
    enum: values,
    properties,
  } = schema as { type?: Json; anyOf?: Json[]; enum?: Json[]; properties?: Record<string, Json> };
  if ([type].flat().includes('null') || anyOf?.some((branch) => (branch as { type?: Json }).type === 'null')) return null;
  if (values) return values[0] ?? null;
  if (type === 'object') return Object.fromEntries(Object.entries(properties ?? {}).map(([name, each]) => [name, leastAnswer(each)]));
  return { string: 'text', integer: 1, array: [], boolean: true }[String(type)] ?? null;
}

describe('a schema for OpenAI’s strict mode', () => {
  it('keeps the rules of strict mode, and its least answer comes back as one that fits the author’s schema', () => {
    fc.assert(
      fc.property(fieldSchema, (schema) => {
        const { schema: sent, exact, restore } = sentSchema(schema, openAiStrict);
        expect(exact).toBe(true);
        expect(openAiRules({ store: false, text: { format: { strict: true, schema: sent } } })).toEqual([]);
        expect(compileSchema(schema)(restore(leastAnswer(sent)))).toBeNull();
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('keeps a null that the author allows or demands', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, b: { type: 'null' }, c: { type: 'string' } },
      required: ['b'],
    };
    expect(sentSchema(schema, openAiStrict).restore({ a: null, b: null, c: null })).toEqual({ a: null, b: null });
  });

  it('wraps what is no object', () => {
    const { schema, restore } = sentSchema({ type: 'array', items: { type: 'string' } }, openAiStrict);
    expect(schema).toMatchObject({ type: 'object', required: ['output'] });
    expect(restore({ output: ['x'] })).toEqual(['x']);
  });

  it.each<[string, JsonSchema]>([
    ['anything', true],
    ['objects with properties of any name', { type: 'object', additionalProperties: { type: 'string' } }],
    ['a schema that contains itself', recursive],
    ['not', { type: 'object', properties: { a: { type: 'string', not: { const: 'x' } } } }],
  ])('is the author’s own where strict mode cannot say it: %s', (_what, schema) => {
    const { exact } = sentSchema(schema, openAiStrict);
    expect(exact).toBe(false);
  });
});

describe('a schema for the others', () => {
  it('leaves optional properties optional and drops bounds for Anthropic', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { type: 'integer', minimum: 1 }, b: { type: 'string', minLength: 2 } },
      required: ['a'],
    };
    expect(copySchema(schema, anthropicOutput)).toEqual({
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('puts allOf together and writes references out for Gemini', () => {
    const schema: JsonSchema = {
      $defs: { Named: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
      allOf: [{ $ref: '#/$defs/Named' }, { type: 'object', properties: { age: { const: 5 } } }],
    };
    expect(copySchema(schema, geminiSchema)).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer', enum: [5] } },
      required: ['name'],
    });
  });

  it('ends at a schema that contains itself', () => {
    expect(() => copySchema(recursive, geminiSchema)).toThrow(Inexpressible);
    expect(() => copySchema({ $ref: '#' }, geminiSchema)).toThrow(Inexpressible);
  });
});
