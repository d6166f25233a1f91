import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';

type Rule = (value: Json) => boolean;

const types: ReadonlySet<Json> = new Set(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']);
const text: Rule = (value) => typeof value === 'string';
const number: Rule = (value) => typeof value === 'number';
const count: Rule = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const names: Rule = (value) => Array.isArray(value) && value.every(text) && new Set(value).size === value.length;
const schemas: Rule = (value) => Array.isArray(value) && value.length > 0 && value.every(isPlainSchema);
const namedSchemas: Rule = (value) => isJsonObject(value) && Object.values(value).every(isPlainSchema);

const rules: Readonly<Record<string, Rule>> = {
  type: (value) => types.has(value) || (Array.isArray(value) && value.length > 0 && names(value) && value.every((one) => types.has(one))),
  properties: namedSchemas,
  additionalProperties: isPlainSchema,
  required: names,
  items: isPlainSchema,
  prefixItems: schemas,
  anyOf: schemas,
  allOf: schemas,
  oneOf: schemas,
  enum: (value) => Array.isArray(value) && value.length > 0,
  const: () => true,
  // The root, which is always there.
  $ref: (value) => value === '#',
  title: text,
  description: text,
  minimum: number,
  maximum: number,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
};

/**
 * Whether a schema is plainly a valid one: it has only common keywords, each with a value of its form. False says nothing. Asking the draft's
 * own schema of schemas costs more than all the rest of a program's start, and most schemas need it not.
 */
export function isPlainSchema(schema: Json): boolean {
  if (typeof schema === 'boolean') return true;
  return isJsonObject(schema) && Object.keys(schema).every((key) => Object.hasOwn(rules, key) && rules[key]?.(schema[key] as Json));
}

/** Whether a keyword's value is a schema, a list of schemas, or schemas by name. */
const nested: ReadonlyMap<string, 'one' | 'list' | 'named'> = new Map([
  ['additionalProperties', 'one'],
  ['items', 'one'],
  ['prefixItems', 'list'],
  ['anyOf', 'list'],
  ['allOf', 'list'],
  ['oneOf', 'list'],
  ['properties', 'named'],
]);

/** A plain schema without titles and descriptions, which check nothing: schemas that differ in them alone are compiled once. */
export function withoutAnnotations(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    if (key === 'title' || key === 'description') return [];
    const form = nested.get(key);
    if (form === undefined) return [[key, value]];
    if (form === 'one') return [[key, withoutAnnotations(value as JsonSchema)]];
    if (form === 'list') return [[key, (value as JsonSchema[]).map(withoutAnnotations)]];
    return [
      [key, Object.fromEntries(Object.entries(value as JsonObject).map(([name, one]) => [name, withoutAnnotations(one as JsonSchema)]))],
    ];
  });
  return Object.fromEntries(entries);
}
