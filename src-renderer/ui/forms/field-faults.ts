import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';

/** An error in a value, at its field. */
export interface FieldFault {
  readonly path: readonly string[];
  readonly message: string;
}

/** Keywords that only report that something inside is invalid, which has a fault of its own. */
const wrappers = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'allOf',
  'if',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'dependentSchemas',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
]);

const typeWords: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const wordings: Record<string, (error: string) => string> = {
  type: (error) =>
    `Must be ${[...(error.split('Expected')[1] ?? '').matchAll(/"(\w+)"/g)].map(([, type]) => typeWords[type ?? ''] ?? type).join(' or ')}`,
  required: () => 'Required',
  false: () => 'Not allowed here',
  enum: (error) => `Must be one of ${error.slice(error.indexOf('['), -1)}`,
  const: (error) => `Must be ${error.replace('Instance does not match ', '').slice(0, -1)}`,
  minLength: (error) => `Must have at least ${limitOf(error)} characters`,
  maxLength: (error) => `Must have at most ${limitOf(error)} characters`,
  minItems: (error) => `Must have at least ${limitOf(error)} items`,
  maxItems: (error) => `Must have at most ${limitOf(error)} items`,
  minimum: (error) => `Must be at least ${limitOf(error)}`,
  maximum: (error) => `Must be at most ${limitOf(error)}`,
  exclusiveMinimum: (error) => `Must be greater than ${limitOf(error)}`,
  exclusiveMaximum: (error) => `Must be less than ${limitOf(error)}`,
  multipleOf: (error) => `Must be a multiple of ${limitOf(error)}`,
  uniqueItems: () => 'Must not contain the same item twice',
  format: (error) => `Must be a valid ${error.match(/"(.+)"/)?.[1] ?? 'value'}`,
  anyOf: () => 'Matches none of the allowed forms',
  oneOf: () => 'Must match exactly one of the allowed forms',
  not: () => 'This value is not allowed',
};

/** The last number in a message of the validator, which is the schema's own. */
function limitOf(error: string): string {
  return error.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)?.at(-1) ?? '?';
}

function pathOf(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function faultOf({ keyword, instanceLocation, error }: OutputUnit): FieldFault {
  const path = pathOf(instanceLocation);
  const missing = keyword === 'required' ? error.match(/"(.*)"/s)?.[1] : undefined;
  return { path: missing === undefined ? path : [...path, missing], message: wordings[keyword]?.(error) ?? error };
}

/**
 * The schema without its regular expressions, which are untrusted and could freeze the page in the browser's backtracking
 * regex engine. The flow engine checks them in linear time anyway.
 */
function withoutPatterns(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isJsonObject(schema)) return schema;
  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema)) {
    const isKeyword = !isJsonObject(value) || key === 'patternProperties';
    if ((key === 'pattern' && isKeyword) || key === 'patternProperties') continue;
    if (key === 'format' && value === 'regex') continue;
    kept[key] = key === 'enum' || key === 'const' || key === 'default' || key === 'examples' ? value : withoutPatterns(value);
  }
  return kept;
}

const validators = new WeakMap<object, Validator>();

function validatorOf(schema: JsonSchema): Validator {
  const known = typeof schema === 'object' ? validators.get(schema) : undefined;
  if (known) return known;
  const validator = new Validator(withoutPatterns(schema) as Schema | boolean, '2020-12', false);
  if (typeof schema === 'object') validators.set(schema, validator);
  return validator;
}

/** The errors of a value, without the checks of regular expressions. Empty when the value is valid, or when the schema can't be read here. */
export function faultsOf(schema: JsonSchema, value: Json | undefined): readonly FieldFault[] {
  if (value === undefined) return [{ path: [], message: 'Required' }];
  let errors: readonly OutputUnit[];
  try {
    // A form sets an empty field to `undefined`, which JSON does not have.
    errors = validatorOf(schema).validate(JSON.parse(JSON.stringify(value))).errors;
  } catch {
    return [];
  }
  const leaves = errors.filter(({ keyword }) => !wrappers.has(keyword));
  return (leaves.length > 0 ? leaves : errors).map(faultOf);
}
