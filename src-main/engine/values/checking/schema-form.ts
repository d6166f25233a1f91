import type { Json, JsonSchema } from '#shared/json.ts';
import { interpretSchema } from './interpret-schema.ts';
import type { SchemaFault } from './schema-check.ts';

const schema = { $dynamicRef: '#schema' };
const named = { type: 'object', additionalProperties: schema };
const names = { type: 'array', items: { type: 'string' }, uniqueItems: true };
const text = { type: 'string' };
const type = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };

/** The keywords that hold one schema, schemas by name, and so on. */
const keywords = (names: string, of: Json): { readonly [name: string]: Json } =>
  Object.fromEntries(names.split(' ').map((name) => [name, of]));

/** The draft's schema of schemas in one piece, without the vocabularies that it is published in, and with what ajv refuses besides. */
const schemaOfSchemas: JsonSchema = {
  $dynamicAnchor: 'schema',
  type: ['object', 'boolean'],
  properties: {
    $schema: { enum: ['https://json-schema.org/draft/2020-12/schema', 'https://json-schema.org/draft/2020-12/schema#'] },
    $id: { type: 'string', format: 'uri-reference', pattern: '^[^#]*#?$' },
    id: false,
    ...keywords('$anchor $dynamicAnchor', { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' }),
    $ref: { type: 'string', format: 'uri-reference' },
    $dynamicRef: { type: 'string', format: 'uri-reference', pattern: '^#' },
    ...keywords('$comment title description format contentEncoding contentMediaType', text),
    ...keywords('deprecated readOnly writeOnly uniqueItems', { type: 'boolean' }),
    ...keywords('items contains additionalProperties propertyNames if then else not', schema),
    ...keywords('unevaluatedItems unevaluatedProperties contentSchema', schema),
    ...keywords('prefixItems allOf anyOf oneOf', { type: 'array', minItems: 1, items: schema }),
    ...keywords('$defs definitions properties dependentSchemas', named),
    patternProperties: { ...named, propertyNames: { format: 'regex' } },
    type: { anyOf: [type, { type: 'array', items: type, minItems: 1, uniqueItems: true }] },
    enum: { type: 'array', minItems: 1 },
    examples: { type: 'array' },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    ...keywords('maximum exclusiveMaximum minimum exclusiveMinimum', { type: 'number' }),
    ...keywords('maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties', {
      type: 'integer',
      minimum: 0,
    }),
    pattern: { type: 'string', format: 'regex' },
    required: names,
    dependentRequired: { type: 'object', additionalProperties: names },
    dependencies: { type: 'object', additionalProperties: { anyOf: [schema, names] } },
  },
};

let check: ReturnType<typeof interpretSchema> | undefined;

/** What is wrong with the form of a schema; null if it can be interpreted, apart from references that lead nowhere. */
export function formFault(given: Json): SchemaFault | null {
  check ??= interpretSchema(schemaOfSchemas, (pattern) => new RegExp(pattern, 'u'));
  const [first] = check(given);
  return first ? { path: first.path, message: first.message } : null;
}
