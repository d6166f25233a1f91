import type { $ZodType, $ZodTypes, JSONSchema, ToJSONSchemaParams, toJSONSchema } from 'zod/v4/core';
import { packageLoader } from '#main/engine/values/load-package.ts';
import { type JsonSchema, jsonPointer } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';

/** An unsupported part of a zod schema: its location in the JSON Schema (JSON Pointer), and why. */
export interface SchemaObstacle {
  readonly path: string;
  readonly message: string;
}

export interface ConvertedSchema {
  readonly schema: JsonSchema;
  readonly obstacles: readonly SchemaObstacle[];
}

type Override = NonNullable<ToJSONSchemaParams['override']>;
type Converter = (params: ToJSONSchemaParams) => JSONSchema.BaseSchema;

/** Kinds of zod schemas that JSON Schema can express completely. */
const sayable: ReadonlySet<string> = new Set([
  ...['string', 'number', 'boolean', 'null', 'any', 'unknown', 'never', 'literal', 'enum', 'template_literal'],
  ...['object', 'array', 'tuple', 'record', 'union', 'intersection', 'optional', 'nonoptional', 'nullable', 'readonly', 'lazy'],
]);

/** Kinds that would change a value, with advice. States are validated but never changed. */
const changing: Readonly<Record<string, string>> = {
  pipe: 'a transform or pipe changes values; do that in a handler',
  transform: 'a transform changes values; do that in a handler',
  default: 'a default changes values; make the field optional and set it in a handler',
  prefault: 'a default changes values; make the field optional and set it in a handler',
  catch: 'a catch changes values; do that in a handler',
};

/** Checks that JSON Schema can express. */
const sayableChecks: ReadonlySet<string> = new Set([
  ...['min_length', 'max_length', 'length_equals', 'string_format', 'greater_than', 'less_than', 'number_format', 'multiple_of'],
]);

const converted = new WeakMap<$ZodType, ConvertedSchema>();

/**
 * Converts a zod 4 schema to JSON Schema (2020-12), once. Additional fields of an object are allowed unless it is strict. Parts that change a
 * value, or that JSON Schema cannot express, are obstacles.
 */
export function convertZodSchema(source: $ZodType): ConvertedSchema {
  let known = converted.get(source);
  if (!known) {
    known = convert(source);
    converted.set(source, known);
  }
  return known;
}

function convert(source: $ZodType): ConvertedSchema {
  const obstacles = new Map<string, SchemaObstacle>();
  const override: Override = ({ zodSchema, path }) => {
    const message = obstacleIn(zodSchema);
    const place = jsonPointer(path);
    if (message !== null) obstacles.set(place, { path: place, message });
  };
  const { $schema: _draft, ...schema } = converterOf(source)({ target: 'draft-2020-12', io: 'input', unrepresentable: 'any', override });
  return { schema: schema as JsonSchema, obstacles: [...obstacles.values()] };
}

/** Uses zod's own method if the schema has it, otherwise (zod/mini, early 4.x) the lazily loaded function. */
function converterOf(source: $ZodType): Converter {
  if ('toJSONSchema' in source && typeof source.toJSONSchema === 'function') {
    const method = source.toJSONSchema as Converter;
    return (params) => method.call(source, params);
  }
  const load = packageLoader(import.meta.url);
  if (!load) {
    const message = 'This schema has no method toJSONSchema, and no package can be loaded here. Pass jsonSchema(z.toJSONSchema(schema)).';
    throw new FlowError('BuildError', message, { code: 'CONFIG_PACKAGE_MISSING' });
  }
  const core = load('zod/v4/core') as { toJSONSchema: typeof toJSONSchema };
  return (params) => core.toJSONSchema(source, params);
}

function obstacleIn(source: $ZodTypes): string | null {
  const { def } = source._zod;
  const change = changing[def.type];
  if (change !== undefined) return change;
  if (!sayable.has(def.type)) return `JSON has no ${def.type}`;
  if ('coerce' in def && def.coerce) return 'a coercion changes values; do that in a handler';
  if (def.type === 'literal' && def.values.some((value) => value === undefined || typeof value === 'bigint'))
    return 'JSON has neither undefined nor bigint';
  for (const check of def.checks ?? []) {
    const { check: kind, ...rules } = check._zod.def;
    if (kind === 'overwrite') return 'a trim, case change or overwrite changes values; do that in a handler';
    if (kind === 'custom') return 'JSON Schema cannot express a refinement; check that in a handler';
    if (!sayableChecks.has(kind)) return `JSON Schema cannot express the check ${kind}; check that in a handler`;
    if ('format' in rules && rules.format === 'regex' && 'pattern' in rules && /[imsy]/.test((rules.pattern as RegExp).flags))
      return 'JSON Schema cannot express the flags of a regular expression; write it without them';
  }
  return null;
}
