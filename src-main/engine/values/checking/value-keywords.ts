import { fullFormats } from 'ajv-formats/dist/formats.js';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { type Check, miss, missField } from './checking.ts';
import type { Pattern } from './interpret-schema.ts';
import { spend } from './validation-deadline.ts';

type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';
type Keyword<Kind> = (limit: never, value: Kind) => string | null;

/** Whether a value is of a type of JSON Schema. */
export function isOfType(type: Json, value: Json): boolean {
  switch (type as JsonType) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

const most = (what: string) => `must NOT have more than ${what}`;
const fewest = (what: string) => `must NOT have fewer than ${what}`;

/** What each keyword of numbers says of a value that misses it, in ajv's order. */
const ofNumbers: Readonly<Record<string, Keyword<number>>> = {
  maximum: (limit: number, value) => (value <= limit ? null : `must be <= ${limit}`),
  minimum: (limit: number, value) => (value >= limit ? null : `must be >= ${limit}`),
  exclusiveMaximum: (limit: number, value) => (value < limit ? null : `must be < ${limit}`),
  exclusiveMinimum: (limit: number, value) => (value > limit ? null : `must be > ${limit}`),
  multipleOf: (factor: number, value) => (isMultiple(value, factor) ? null : `must be multiple of ${factor}`),
};

/** As ajv decides it, very large quotients included. */
const isMultiple = (value: number, factor: number): boolean => value / factor === Number.parseInt(String(value / factor), 10);

const ofTexts: Readonly<Record<string, Keyword<string>>> = {
  maxLength: (limit: number, value) => (charactersOf(value) <= limit ? null : most(`${limit} characters`)),
  minLength: (limit: number, value) => (charactersOf(value) >= limit ? null : fewest(`${limit} characters`)),
};

const charactersOf = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

const ofObjects: Readonly<Record<string, Keyword<JsonObject>>> = {
  maxProperties: (limit: number, value) => (Object.keys(value).length <= limit ? null : most(`${limit} properties`)),
  minProperties: (limit: number, value) => (Object.keys(value).length >= limit ? null : fewest(`${limit} properties`)),
};

const ofLists: Readonly<Record<string, Keyword<readonly Json[]>>> = {
  maxItems: (limit: number, value) => (value.length <= limit ? null : most(`${limit} items`)),
  minItems: (limit: number, value) => (value.length >= limit ? null : fewest(`${limit} items`)),
};

/** The checks of a schema's keywords in a table. The values are of the type that the keywords are about. */
function fromTable<Kind>(table: Readonly<Record<string, Keyword<Kind>>>, schema: JsonObject): Check[] {
  return Object.keys(table)
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => {
      const message = table[keyword] as (limit: Json, value: Kind) => string | null;
      return (value, at, checking) => {
        const missed = message(schema[keyword] as Json, value as Kind);
        return missed === null || miss(checking, at, keyword, missed);
      };
    });
}

export const numberKeywords = (schema: JsonObject): Check[] => [...fromTable(ofNumbers, schema), ...formatKeyword(schema, 'number')];

/** The keywords of texts. */
export function textKeywords(schema: JsonObject, patternOf: (pattern: string) => Pattern): Check[] {
  const checks = fromTable(ofTexts, schema);
  if (typeof schema.pattern === 'string') {
    const { pattern } = schema;
    const compiled = patternOf(pattern);
    checks.push(
      (value, at, checking) => compiled.test(value as string) || miss(checking, at, 'pattern', `must match pattern "${pattern}"`),
    );
  }
  return [...checks, ...formatKeyword(schema, 'string')];
}

/** The keywords of objects and lists that need no schema. */
export const objectLimits = (schema: JsonObject): Check[] => fromTable(ofObjects, schema);
export const listLimits = (schema: JsonObject): Check[] => fromTable(ofLists, schema);

/** The formats are ajv's own. One that it does not know holds for everything. */
function formatKeyword({ format: name }: JsonObject, type: 'number' | 'string'): Check[] {
  if (typeof name !== 'string' || !Object.hasOwn(fullFormats, name)) return [];
  const format: unknown = fullFormats[name as keyof typeof fullFormats];
  const definition = format instanceof RegExp || typeof format === 'function' ? { validate: format } : (format as FormatDefinition);
  if (typeof definition !== 'object' || (definition.type ?? 'string') !== type) return [];
  const { validate } = definition;
  if (typeof validate === 'boolean') return [];
  const fits = validate instanceof RegExp ? (value: string) => validate.test(value) : (validate as (value: unknown) => boolean);
  return [(value, at, checking) => fits(value as string) || miss(checking, at, 'format', `must match format "${name}"`)];
}

interface FormatDefinition {
  readonly type?: 'number' | 'string';
  readonly validate: unknown;
}

/** `const` and `enum`. */
export function valueKeywords(schema: JsonObject): Check[] {
  const checks: Check[] = [];
  if (schema.const !== undefined) {
    const expected = canonicalJson(schema.const);
    const message = `must be ${JSON.stringify(schema.const)}`;
    checks.push((value, at, checking) => canonicalJson(value) === expected || miss(checking, at, 'const', message));
  }
  if (Array.isArray(schema.enum)) {
    const allowed = new Set(schema.enum.map(canonicalJson));
    const message = `must be one of ${JSON.stringify(schema.enum)}`;
    checks.push((value, at, checking) => allowed.has(canonicalJson(value)) || miss(checking, at, 'enum', message));
  }
  return checks;
}

/** `required`: the first name that is missing. */
export function requiredKeyword({ required }: JsonObject): Check[] {
  if (!Array.isArray(required)) return [];
  const names = required as readonly string[];
  return [
    (value, at, checking) => {
      const missing = names.find((name) => !Object.hasOwn(value as JsonObject, name));
      return missing === undefined || missField(checking, at, missing, 'required', 'is missing');
    },
  ];
}

/** `uniqueItems`: compares the items by their canonical text. */
export function uniqueKeyword({ uniqueItems }: JsonObject): Check[] {
  if (uniqueItems !== true) return [];
  return [
    (value, at, checking) => {
      const texts = new Set<string>();
      for (const item of value as readonly Json[]) {
        spend();
        texts.add(canonicalJson(item));
      }
      return texts.size === (value as readonly Json[]).length || miss(checking, at, 'uniqueItems', 'must not hold the same item twice');
    },
  ];
}
