import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '#shared/json.ts';
import { callSchema, grammarSchema } from './llama-schema.ts';

describe('a grammar for a local model', () => {
  it('says maps, objects of anything and lists by their places', () => {
    expect(grammarSchema({ type: 'object', additionalProperties: { type: 'integer', minimum: 1 } })).toMatchObject({
      exact: true,
      schema: { type: 'object', additionalProperties: { type: 'integer' } },
    });
    expect(grammarSchema({ type: 'object' }).schema).toMatchObject({ type: 'object', additionalProperties: true });
    expect(grammarSchema({ type: 'object', properties: { a: { type: 'string' } } }).schema).toMatchObject({ additionalProperties: false });
    const places: JsonSchema = { type: 'array', prefixItems: [{ type: 'string' }, { enum: [1, 2] }], items: false };
    expect(grammarSchema(places)).toMatchObject({
      exact: true,
      schema: { type: 'array', prefixItems: [{ type: 'string' }, { enum: [1, 2] }], minItems: 2, maxItems: 2 },
    });
  });

  it('names what contains itself, and writes out what does not', () => {
    const tree: JsonSchema = {
      $defs: { Tree: { type: 'object', properties: { of: { type: 'array', items: { $ref: '#/$defs/Tree' } } } } },
      type: 'object',
      properties: { root: { $ref: '#/$defs/Tree' } },
      required: ['root'],
    };
    const { exact, schema, restore } = grammarSchema(tree);
    expect(exact).toBe(true);
    expect(schema).toMatchObject({
      properties: { root: { $ref: '#/$defs/part_1' } },
      $defs: {
        part_1: { type: 'object', properties: { of: { oneOf: [{ type: 'array', items: { $ref: '#/$defs/part_1' } }, { type: 'null' }] } } },
      },
    });
    expect(restore({ root: { of: [{ of: null }] } })).toEqual({ root: { of: [{}] } });
    expect(grammarSchema({ type: 'object', properties: { child: { $ref: '#' } } }).schema).toMatchObject({
      $defs: { part_1: { type: 'object' } },
    });
    const flat = grammarSchema({ $defs: { A: { type: 'string' } }, type: 'array', items: { $ref: '#/$defs/A' } });
    expect(flat.schema).toEqual({ type: 'array', items: { type: 'string' } });
  });

  it('is not made of names by a pattern: any JSON is taken then, and any object as a tool’s input', () => {
    const input = grammarSchema({ type: 'object', patternProperties: { '^x-': { type: 'integer' } } });
    expect(input.exact).toBe(false);
    expect(callSchema([{ name: 'look', input }])).toMatchObject({
      properties: { tool: { const: 'look' }, input: { type: 'object', additionalProperties: true } },
    });
  });
});
