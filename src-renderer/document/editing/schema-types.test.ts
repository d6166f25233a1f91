import { describe, expect, it } from 'vitest';
import { typeOfSchema } from './schema-types.ts';

describe('typeOfSchema', () => {
  it('writes objects with their optional and required fields', () => {
    const schema = {
      type: 'object',
      properties: { subject: { type: 'string' }, score: { type: 'number', description: 'From 0 to 1' } },
      required: ['subject'],
      additionalProperties: false,
    };
    expect(typeOfSchema(schema)).toBe('{ "subject": string; /** From 0 to 1 */ "score"?: number; }');
  });

  it('writes lists, choices and literals', () => {
    expect(typeOfSchema({ type: 'array', items: { enum: ['a', 'b'] } })).toBe('Array<"a" | "b">');
    expect(typeOfSchema({ type: ['string', 'null'] })).toBe('(string) | (null)');
    expect(typeOfSchema({ anyOf: [{ const: 1 }, { type: 'integer' }] })).toBe('(1) | (number)');
  });

  it('falls back to a wider type for what it does not support', () => {
    expect(typeOfSchema(true)).toBe('any');
    expect(typeOfSchema({ $ref: '#/$defs/x' })).toBe('any');
    expect(typeOfSchema({ type: 'object' })).toBe('{ [key: string]: any; }');
  });

  it('does not let a description end its comment', () => {
    expect(typeOfSchema({ type: 'object', properties: { a: { type: 'null', description: '*/ x' } } })).toContain('/**  x */');
  });
});
