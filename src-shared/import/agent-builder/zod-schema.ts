import type { AnyNode, CallExpression } from 'acorn';
import type { JsonObject, JsonSchema } from '#shared/json.ts';
import { literalValue, propertiesOf } from './literal.ts';

/** A schema, and whether a field of it may be left out. */
interface Field {
  readonly schema: JsonSchema;
  readonly optional: boolean;
}

/** The JSON Schema of a Zod expression (`z.object({ … })`); `true` for what it does not know. `named` are schemas by their variables. */
export function zodSchema(node: AnyNode | undefined, named: ReadonlyMap<string, JsonSchema>): JsonSchema {
  return field(node, named).schema;
}

function field(node: AnyNode | undefined, named: ReadonlyMap<string, JsonSchema>): Field {
  if (node?.type === 'Identifier') return { schema: named.get(node.name) ?? true, optional: false };
  if (node?.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.callee.property.type !== 'Identifier')
    return { schema: true, optional: false };
  const { object, property } = node.callee;
  if (object.type === 'Identifier' && object.name === 'z') return { schema: made(property.name, node, named), optional: false };
  return refined(field(object, named), property.name, literalValue(node.arguments[0]));
}

function made(name: string, { arguments: [first, second] }: CallExpression, named: ReadonlyMap<string, JsonSchema>): JsonSchema {
  switch (name) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return { type: name };
    case 'int':
      return { type: 'integer' };
    case 'literal':
      return { const: literalValue(first) ?? null };
    case 'enum':
      return { type: 'string', enum: literalValue(first) ?? [] };
    case 'array':
      return { type: 'array', items: zodSchema(first, named) };
    case 'record':
      return { type: 'object', additionalProperties: zodSchema(second ?? first, named) };
    case 'union':
    case 'discriminatedUnion': {
      const list = name === 'union' ? first : second;
      return list?.type === 'ArrayExpression' ? { anyOf: list.elements.map((each) => zodSchema(each ?? undefined, named)) } : true;
    }
    case 'object':
    case 'strictObject':
    case 'looseObject': {
      if (first?.type !== 'ObjectExpression') return { type: 'object' };
      const fields = [...propertiesOf(first)].map(([key, value]) => [key, field(value, named)] as const);
      return {
        type: 'object',
        properties: Object.fromEntries(fields.map(([key, { schema }]) => [key, schema])),
        required: fields.filter(([, { optional }]) => !optional).map(([key]) => key),
      };
    }
    default:
      return true;
  }
}

const limits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  string: { min: 'minLength', max: 'maxLength' },
  array: { min: 'minItems', max: 'maxItems' },
  number: { min: 'minimum', max: 'maximum', gte: 'minimum', lte: 'maximum' },
};

/** A schema after a method was called on it. */
function refined({ schema, optional }: Field, method: string, argument: unknown): Field {
  const known: JsonObject = typeof schema === 'object' ? schema : {};
  const limit = limits[String(known.type)]?.[method];
  if (limit && typeof argument === 'number') return { schema: { ...known, [limit]: argument }, optional };
  switch (method) {
    case 'optional':
    case 'nullish':
    case 'default':
      return { schema: method === 'nullish' ? { anyOf: [schema, { type: 'null' }] } : schema, optional: true };
    case 'nullable':
      return { schema: { anyOf: [schema, { type: 'null' }] }, optional };
    case 'int':
      return { schema: { ...known, type: 'integer' }, optional };
    case 'describe':
      return { schema: typeof argument === 'string' ? { ...known, description: argument } : schema, optional };
    default:
      return { schema, optional };
  }
}
