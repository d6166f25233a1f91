import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';

type Random = () => number;

/** Numbers from 0 to 1, the same for the same seed. */
export function mulberry(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const below = (random: Random, end: number): number => Math.floor(random() * end);
const oneOf = <Item>(random: Random, items: readonly Item[]): Item => items[below(random, items.length)] as Item;
const some = <Item>(random: Random, most: number, make: () => Item): Item[] => Array.from({ length: below(random, most + 1) }, make);
const atLeastOne = <Item>(random: Random, most: number, make: () => Item): Item[] => Array.from({ length: 1 + below(random, most) }, make);

const names = ['a', 'b', 'ab', 'length', 'a/b~'];
const scalars: readonly Json[] = [null, true, false, 0, 1, 2, -1, 1.5, 0.3, 4, '', 'a', 'ab', 'abc', '2026-01-01', 'ada@example.org', '𝒳y'];
const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const patterns = ['^a', 'b$', '[0-9]+', '^$'];
const formats = ['date', 'email', 'uuid', 'int32', 'unknown'];

/** A value of the few that the schemas are about. */
export function randomValue(random: Random, depth: number): Json {
  if (depth === 0 || random() < 0.4) return oneOf(random, scalars);
  if (random() < 0.5) return some(random, 4, () => randomValue(random, depth - 1));
  return Object.fromEntries(some(random, 4, () => [oneOf(random, names), randomValue(random, depth - 1)]));
}

/** A schema with all keywords that are admitted, apart from references to other resources and `unevaluated…`, where ajv is sometimes wrong. */
export function randomSchema(random: Random): JsonSchema {
  const schema = subschema(random, 3);
  return typeof schema === 'boolean' ? schema : { ...schema, $defs: { shared: subschema(random, 0) } };
}

function subschema(random: Random, depth: number): JsonObject | boolean {
  if (random() < 0.05) return random() < 0.6;
  const chosen = atLeastOne(random, 3, () => oneOf(random, depth === 0 ? leaves : keywords));
  return Object.assign({}, ...chosen.map((keyword) => keyword(random, depth - 1)));
}

type Keyword = (random: Random, depth: number) => { readonly [keyword: string]: Json };

const count: Keyword = (random) => ({
  [oneOf(random, ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'])]: below(random, 4),
});
const limit: Keyword = (random) => ({
  [oneOf(random, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])]: oneOf(random, [-1, 0, 1, 1.5, 2]),
});

const leaves: readonly Keyword[] = [
  (random) => ({ type: oneOf(random, types) }),
  (random) => ({ type: [...new Set(atLeastOne(random, 3, () => oneOf(random, types)))] }),
  count,
  limit,
  (random) => ({ multipleOf: oneOf(random, [0.1, 1, 2, 0.5]) }),
  (random) => ({ pattern: oneOf(random, patterns) }),
  (random) => ({ format: oneOf(random, formats) }),
  (random) => ({ enum: atLeastOne(random, 4, () => randomValue(random, 1)) }),
  (random) => ({ const: randomValue(random, 1) }),
  (random) => ({ required: [...new Set(some(random, 3, () => oneOf(random, names)))] }),
  (random) => ({ uniqueItems: random() < 0.8 }),
  (random) => ({ dependentRequired: { [oneOf(random, names)]: [...new Set(some(random, 2, () => oneOf(random, names)))] } }),
];

const one =
  (...keywords: string[]): Keyword =>
  (random, depth) => ({ [oneOf(random, keywords)]: subschema(random, depth) });
const list =
  (...keywords: string[]): Keyword =>
  (random, depth) => ({
    [oneOf(random, keywords)]: atLeastOne(random, 3, () => subschema(random, depth)),
  });
const named =
  (keyword: string, from: readonly string[]): Keyword =>
  (random, depth) => ({
    [keyword]: Object.fromEntries(atLeastOne(random, 3, () => [oneOf(random, from), subschema(random, depth)])),
  });

const keywords: readonly Keyword[] = [
  ...leaves,
  one('items', 'contains', 'additionalProperties', 'propertyNames', 'not'),
  one('items', 'additionalProperties'),
  list('anyOf', 'oneOf', 'allOf', 'prefixItems'),
  named('properties', names),
  named('properties', names),
  named('patternProperties', patterns),
  named('dependentSchemas', names),
  (random, depth) => {
    const parts = ['if', ...(random() < 0.7 ? ['then'] : []), ...(random() < 0.5 ? ['else'] : [])];
    return Object.fromEntries(parts.map((part) => [part, subschema(random, depth)]));
  },
  (random, depth) => ({ contains: subschema(random, depth), minContains: below(random, 3), maxContains: 1 + below(random, 3) }),
  () => ({ $ref: '#/$defs/shared' }),
];
