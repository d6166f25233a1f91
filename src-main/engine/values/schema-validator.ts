import { interpretingEngine } from '#main/engine/values/checking/interpreting-engine.ts';
import {
  namedSchemas,
  plainValues,
  type SchemaCheck,
  type SchemaEngine,
  type SchemaFault,
  type SchemaViolation,
} from '#main/engine/values/checking/schema-check.ts';
import { CheckingTooLong, withinDeadline } from '#main/engine/values/checking/validation-deadline.ts';
import { canonicalJson, isJsonObject, type Json, type JsonSchema, jsonPointer } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { ajvEngine } from './ajv-engine.ts';
import { cachedCheck } from './cached-check.ts';
import { isPlainSchema, withoutAnnotations } from './plain-schema.ts';

export type { SchemaCheck, SchemaViolation } from '#main/engine/values/checking/schema-check.ts';

/** How many checks are cached by their schemas' texts, least recently used first out. */
const rememberedChecks = 2000;

let chosen: SchemaEngine | undefined;

function engine(): SchemaEngine {
  chosen ??= ajvEngine() ?? interpretingEngine;
  return chosen;
}

/**
 * For how many milliseconds a process checks values without compiling their schemas: loading ajv and compiling take longer than a short program spends
 * on all of its checks.
 */
const uncompiled = 4;
let interpretedFor = 0;

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
  const compiled = isPlain ? plainCheck(schema) : compiledCheck(schema, isPlain);
  const passes: SchemaCheck = isPlain ? compiled : (value) => withinDeadline(() => compiled(value));
  const check: SchemaCheck = (value) => {
    try {
      return passes(value);
    } catch (error) {
      if (error instanceof CheckingTooLong) return tooLong;
      throw error;
    }
  };
  return remember(text, isPlain ? cachedCheck(schema, check, compileSchema) : check);
}

/** The check of a plain schema: interpreted at first, and compiled once that has taken long enough. What misses the schema is told by the compiled one. */
function plainCheck(schema: JsonSchema): SchemaCheck {
  let compiled: SchemaCheck | undefined;
  let interpreted: SchemaCheck | undefined;
  return (value) => {
    if (!compiled && interpretedFor < uncompiled) {
      const start = performance.now();
      interpreted ??= interpretingEngine.compile(schema);
      const violation = interpreted(value);
      interpretedFor += performance.now() - start;
      if (!violation) return null;
    }
    compiled ??= compiledCheck(schema, true);
    return compiled(value);
  };
}

function compiledCheck(schema: JsonSchema, isPlain: boolean): SchemaCheck {
  try {
    const fault = isPlain ? null : engine().fault(schema);
    if (fault) throw new Error(fault.message);
    return engine().compile(schema);
  } catch (error) {
    throw new FlowError('Invalid', `A schema cannot be used: ${messageOf(error)}`);
  }
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
  const found = withinDeadline(() => engine().violations(schema, value));
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

/** What is wrong with a schema; null when it can be used. Formats and patterns are checked too, and nothing is fetched. */
export function checkSchema(schema: Json): SchemaFault | null {
  if (typeof schema === 'boolean') return null;
  if (!isJsonObject(schema)) return { path: '', message: 'a schema is an object, true or false' };
  // Whatever is plain can be compiled, and most flows are looked at more often than they are run.
  if (isPlainSchema(schema)) return null;
  const fault = asyncFault(schema, []);
  if (fault) return fault;
  try {
    const wrong = engine().fault(schema);
    if (wrong) return wrong;
    compileSchema(schema);
    return null;
  } catch (error) {
    return { path: '', message: messageOf(error) };
  }
}

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
