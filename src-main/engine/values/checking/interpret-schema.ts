import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { type Check, type Checking, holdAll, miss, nothingSeen, type Place } from './checking.ts';
import { generalKeywords } from './general-keywords.ts';
import { listKeywords } from './list-keywords.ts';
import { objectKeywords } from './object-keywords.ts';
import type { SchemaViolation } from './schema-check.ts';
import { SchemaIndex, type SchemaResource } from './schema-index.ts';
import { spend } from './validation-deadline.ts';
import { isOfType, numberKeywords, textKeywords } from './value-keywords.ts';

/** A compiled regular expression. */
export interface Pattern {
  test(text: string): boolean;
}

/** What the keywords of one schema are made with. */
export interface Making {
  readonly schema: JsonObject;
  readonly index: SchemaIndex;
  readonly resource: SchemaResource;
  readonly patternOf: (pattern: string) => Pattern;
  /** The check of a subschema, in this resource unless it has an address of its own. */
  readonly checkOf: (schema: Json, resource?: SchemaResource) => Check;
}

/**
 * Makes the check for a JSON Schema (2020-12) without generating code, for places that refuse that. The schema has to be valid. The order of the checks and the texts
 * of the errors are ajv's, so that a flow says the same everywhere. The result lists what a value misses: at most the first thing, unless `findsAll`.
 * Throws for a reference that leads nowhere and for a pattern that is not a regular expression.
 */
export function interpretSchema(
  schema: JsonSchema,
  patternOf: (pattern: string) => Pattern,
): (value: Json, findsAll?: boolean) => readonly SchemaViolation[] {
  const index = new SchemaIndex(schema);
  const made = new Map<Json, Check>();
  const checkOf = (subschema: Json, around: SchemaResource | undefined): Check => {
    if (!isJsonObject(subschema)) return subschema === false ? nothing : anything;
    const known = made.get(subschema);
    if (known) return known;
    // A schema that refers to itself finds this one while it is being made.
    let check: Check | undefined;
    const later: Check = (value, at, checking, seen) => (check as Check)(value, at, checking, seen);
    made.set(subschema, later);
    const resource = index.resourceOf(subschema, around);
    check = checkOfObject({ schema: subschema, index, resource, patternOf, checkOf: (inner, of = resource) => checkOf(inner, of) });
    made.set(subschema, check);
    return check;
  };
  const check = checkOf(schema, undefined);
  return (value, findsAll = false) => {
    const checking: Checking = { errors: [], entered: [], findsAll };
    return check(value, null, checking, nothingSeen()) ? [] : checking.errors;
  };
}

const anything: Check = () => true;
const nothing: Check = (_, at, checking) => miss(checking, at, 'false schema', 'boolean schema is false');

/** Keywords by the type of value that they are about, in the order in which they are checked: after the general ones. */
const groups = [
  { type: 'number', keywords: ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf', 'format'] },
  { type: 'string', keywords: ['maxLength', 'minLength', 'pattern', 'format'] },
  {
    type: 'array',
    keywords: ['maxItems', 'minItems', 'prefixItems', 'items', 'contains', 'maxContains', 'minContains', 'unevaluatedItems', 'uniqueItems'],
  },
  {
    type: 'object',
    keywords: [
      ...['maxProperties', 'minProperties', 'required', 'propertyNames', 'additionalProperties', 'dependencies', 'properties'],
      ...['patternProperties', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties'],
    ],
  },
] as const;

function checkOfObject(making: Making): Check {
  const { schema, resource, patternOf } = making;
  const keywordsOf = {
    number: () => numberKeywords(schema),
    string: () => textKeywords(schema, patternOf),
    array: () => listKeywords(making),
    object: () => objectKeywords(making),
  };
  const { types, isLate } = typesOf(schema);
  const checks: Check[] = types.length > 0 && !isLate ? [typeCheck(types)] : [];
  checks.push(...generalKeywords(making));
  for (const { type } of groups) {
    const own = keywordsOf[type]();
    const isTypeOfSchema = isLate && types[0] === type;
    if (own.length > 0 || isTypeOfSchema) checks.push(ofType(type, own, isTypeOfSchema));
  }
  return (value, at, checking, seen) => {
    spend();
    checking.entered.push(resource);
    try {
      return holdAll(checks, value, at, checking, seen);
    } finally {
      checking.entered.pop();
    }
  };
}

/** The types of a schema. A single one is checked late, with the keywords for it, where there are any. */
function typesOf({ type, nullable, ...schema }: JsonObject): { readonly types: readonly string[]; readonly isLate: boolean } {
  const named = type === undefined ? [] : ([type].flat() as string[]);
  const types = nullable === true && !named.includes('null') ? [...named, 'null'] : named;
  const group = groups.find((each) => each.type === types[0]);
  return { types, isLate: types.length === 1 && group !== undefined && group.keywords.some((keyword) => schema[keyword] !== undefined) };
}

function typeCheck(types: readonly string[]): Check {
  return (value, at, checking) => types.some((type) => isOfType(type, value)) || wrongType(checking, at, types);
}

/** Checks for values of one type. Others pass, unless it is the schema's own type. */
function ofType(type: string, checks: readonly Check[], isTypeOfSchema: boolean): Check {
  return (value, at, checking, seen) => {
    if (isOfType(type, value)) return holdAll(checks, value, at, checking, seen);
    return !isTypeOfSchema || wrongType(checking, at, [type]);
  };
}

function wrongType(checking: Checking, at: Place, types: readonly string[]): false {
  return miss(checking, at, 'type', `must be ${types.join(',')}`);
}
