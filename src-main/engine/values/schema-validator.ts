import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import type { RE2JS } from 're2js';
import { canonicalJson, isJsonObject, type Json, type JsonSchema, jsonPointer } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { cachedCheck } from './cached-check.ts';
import { compileLinear } from './linear-pattern.ts';
import { isPlainSchema, withoutAnnotations } from './plain-schema.ts';
import { CheckingTooLong, spend, timed, timedCode, withinDeadline } from './validation-deadline.ts';

/** The first way in which a value misses its schema. */
export interface SchemaViolation {
  /** JSON Pointer of the field, also of one that is missing or not allowed. */
  readonly path: string;
  /** The keyword of the schema that it misses. */
  readonly keyword: string;
  readonly message: string;
}

/** Checks a value; null when it fits. Never changes the value. */
export type SchemaCheck = (value: Json) => SchemaViolation | null;

/** What makes a schema unusable, and where in the schema (JSON Pointer). */
export interface SchemaFault {
  readonly path: string;
  readonly message: string;
}

/** How many checks are cached by their schemas' texts, least recently used first out. */
const rememberedChecks = 2000;
/** After this number of schemas ajv is recreated, since it keeps something of each. */
const schemasPerValidator = 1000;

// Loaded at the first schema that says anything: ajv alone costs more than the start of the rest of the engine.
const load = createRequire(import.meta.url);

type Validator = { readonly ajv: Ajv2020; compiled: number };
let plainValidator: Validator | undefined;
let wholeValidator: Validator | undefined;

/** For plain schemas, which need neither the formats nor the schema of schemas: without them it is there sooner. */
function forPlainSchemas(): Validator {
  plainValidator ??= { ajv: newAjv({ meta: false }), compiled: 0 };
  return plainValidator;
}

function forAllSchemas(): Validator {
  if (wholeValidator) return wholeValidator;
  const addFormats = (load('ajv-formats') as { default: (ajv: Ajv2020) => Ajv2020 }).default;
  wholeValidator = { ajv: addFormats(newAjv({ meta: true })), compiled: 0 };
  return wholeValidator;
}

function newAjv(options: { readonly meta: boolean; readonly allErrors?: boolean }): Ajv2020 {
  const { Ajv2020: Validator } = load('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 };
  const ajv = new Validator({
    ...options,
    strict: false,
    logger: false,
    // Done by `schemaErrors`, where it is needed.
    validateSchema: false,
    ownProperties: true,
    code: { ...timedCode, regExp: Object.assign(linearPattern, { code: 'linearPattern' }) },
  });
  return timed(ajv);
}

/** Patterns come from outside, so they run on an engine whose time is linear in the text. Throws for one that it cannot express. */
function linearPattern(pattern: string): { test(text: string): boolean; toString(): string } {
  const { RE2JS: Engine } = load('re2js') as { RE2JS: typeof RE2JS };
  const compiled = compileLinear(Engine, Engine.translateRegExp(pattern));
  // ajv tells patterns apart by this text.
  const test = (text: string): boolean => {
    // As slow as a good many pieces of a schema.
    for (let pieces = 0; pieces < 64; pieces += 1) spend();
    return compiled.test(text);
  };
  return { test, toString: () => pattern };
}

const acceptsAll: SchemaCheck = () => null;
const checks = new Map<string, SchemaCheck>();

/**
 * The check for a JSON Schema (2020-12), compiled at its first use and shared by schemas of the same canonical text as long as it is remembered.
 * Throws `FlowError` `Invalid` when the schema cannot be used; `checkSchema` says so beforehand.
 */
export function compileSchema(given: JsonSchema): SchemaCheck {
  const isPlain = isPlainSchema(given);
  const schema = isPlain ? withoutAnnotations(given) : given;
  if (schema === true || (typeof schema === 'object' && Object.keys(schema).length === 0)) return acceptsAll;
  const text = canonicalJson(schema);
  const known = checks.get(text);
  if (known) return remember(text, known);
  const fault = asyncFault(schema, []);
  if (fault) throw new FlowError('Invalid', `A schema cannot be used: ${fault.message}.`, { details: { path: fault.path } });
  const validator = isPlain ? forPlainSchemas() : forAllSchemas();
  const compiled = schema as Parameters<Ajv2020['compile']>[0];
  let validate: ReturnType<Ajv2020['compile']>;
  try {
    const [first] = schemaErrors(schema);
    if (first) throw new Error(violation(first).message);
    validate = validator.ajv.compile(compiled);
  } catch (error) {
    throw new FlowError('Invalid', `A schema cannot be used: ${messageOf(error)}`);
  } finally {
    // While it compiles, "#" must lead back to it; afterwards another schema may have the same $id.
    if (typeof compiled === 'object') validator.ajv.removeSchema(compiled);
    validator.compiled += 1;
    if (validator.compiled >= schemasPerValidator) forget(validator);
  }
  const passes = isPlain ? validate : (value: Json) => withinDeadline(() => validate(value));
  const check: SchemaCheck = (value) => {
    try {
      if (passes(value)) return null;
    } catch (error) {
      if (error instanceof CheckingTooLong) return tooLong;
      throw error;
    }
    const [first] = validate.errors ?? [];
    return first ? violation(first) : { path: '', keyword: 'false schema', message: 'no value is allowed here' };
  };
  return remember(text, isPlain ? cachedCheck(schema, check, compileSchema) : check);
}

const tooLong: SchemaViolation = {
  path: '',
  keyword: '$ref',
  message: 'the value takes too long to check; look for schemas that refer to each other several times',
};

/**
 * Every way in which a value misses its schema, at most `most`: what is needed to fix it at once. Compiled each time, so only for values
 * that are known to miss it.
 */
export function allViolations(schema: JsonSchema, value: Json, most: number): SchemaViolation[] {
  const addFormats = (load('ajv-formats') as { default: (ajv: Ajv2020) => Ajv2020 }).default;
  const validate = addFormats(newAjv({ meta: true, allErrors: true })).compile(schema as Parameters<Ajv2020['compile']>[0]);
  withinDeadline(() => validate(value));
  const found = (validate.errors ?? []).map(violation);
  return found
    .filter(({ path, message }, index) => found.findIndex((other) => other.path === path && other.message === message) === index)
    .slice(0, most);
}

function remember(text: string, check: SchemaCheck): SchemaCheck {
  checks.delete(text);
  checks.set(text, check);
  if (checks.size > rememberedChecks) checks.delete(checks.keys().next().value as string);
  return check;
}

function forget(validator: Validator): void {
  if (validator === plainValidator) plainValidator = undefined;
  if (validator === wholeValidator) wholeValidator = undefined;
}

/** What is wrong with a schema; null when it can be used. Formats and patterns are checked too, and nothing is fetched. */
export function checkSchema(schema: Json): SchemaFault | null {
  if (typeof schema === 'boolean') return null;
  if (!isJsonObject(schema)) return { path: '', message: 'a schema is an object, true or false' };
  // Whatever is plain can be compiled, and most flows are looked at more often than they are run.
  if (isPlainSchema(schema)) return null;
  const fault = asyncFault(schema, []);
  if (fault) return fault;
  try {
    const [first] = schemaErrors(schema);
    if (first) return { path: first.instancePath, message: violation(first).message };
    compileSchema(schema);
    return null;
  } catch (error) {
    return { path: '', message: messageOf(error) };
  }
}

/** What the draft's schema of schemas has against a schema. */
function schemaErrors(schema: JsonSchema): readonly ErrorObject[] {
  if (isPlainSchema(schema)) return [];
  const { ajv } = forAllSchemas();
  return ajv.validateSchema(schema as Parameters<Ajv2020['validateSchema']>[0]) === true ? [] : (ajv.errors ?? []);
}

function violation({ instancePath, keyword, message, params }: ErrorObject): SchemaViolation {
  const field: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  const path = typeof field === 'string' ? instancePath + jsonPointer([field]) : instancePath;
  if (keyword === 'required') return { path, keyword, message: `${path} is missing` };
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return { path, keyword, message: `${path} is not a field of this schema` };
  if (keyword === 'enum')
    return { path, keyword, message: `${path || 'the value'} must be one of ${JSON.stringify(params.allowedValues)}` };
  if (keyword === 'const') return { path, keyword, message: `${path || 'the value'} must be ${JSON.stringify(params.allowedValue)}` };
  return { path, keyword, message: `${path || 'the value'} ${message ?? `misses "${keyword}"`}` };
}

/** Keywords whose value holds schemas by name, and keywords whose value is no schema at all. */
const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const plainValues: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** `$async` makes ajv answer with promises, which would look like "fits". */
function asyncFault(schema: Json, path: readonly (string | number)[]): SchemaFault | null {
  if (typeof schema !== 'object' || schema === null) return null;
  if (Array.isArray(schema)) return firstFault(schema.map((item, index) => () => asyncFault(item, [...path, index])));
  const object = schema as { readonly [key: string]: Json };
  if (Object.hasOwn(object, '$async')) return { path: jsonPointer([...path, '$async']), message: '$async is not supported' };
  return firstFault(
    Object.entries(object).map(([key, value]) => () => {
      if (plainValues.has(key)) return null;
      if (!namedSchemas.has(key) || !isJsonObject(value)) return asyncFault(value, [...path, key]);
      return firstFault(
        Object.entries(value).map(
          ([name, inner]) =>
            () =>
              asyncFault(inner, [...path, key, name]),
        ),
      );
    }),
  );
}

function firstFault(attempts: readonly (() => SchemaFault | null)[]): SchemaFault | null {
  for (const attempt of attempts) {
    const fault = attempt();
    if (fault) return fault;
  }
  return null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
