import type { $ZodType, output } from 'zod/v4/core';
import type { JsonSchema } from '#shared/json.ts';

/** A JSON Schema with the type of its values. Created by `jsonSchema`. */
export class TypedJsonSchema<out Value> {
  readonly schema: JsonSchema;
  /** Type-only; never set. */
  declare readonly value?: Value;

  constructor(schema: JsonSchema) {
    this.schema = schema;
  }
}

/** A schema of a state. */
export type SchemaSource = $ZodType | TypedJsonSchema<unknown>;

/** The value type of a schema. */
export type SchemaValue<Source extends SchemaSource> = Source extends $ZodType
  ? output<Source>
  : Source extends TypedJsonSchema<infer Value>
    ? Value
    : never;

/** A named state of a flow. Its values are validated against the schema before they enter a run. Created by `state`. */
export class State<out Name extends string = string, out Value = unknown> {
  readonly name: Name;
  readonly source: SchemaSource;
  /** Type-only; never set. */
  declare readonly value?: Value;

  constructor(name: Name, source: SchemaSource) {
    this.name = name;
    this.source = source;
  }
}

/** Defines a state by its name and a zod 4 schema, or a JSON Schema wrapped by `jsonSchema`. `build()` reports unsupported schemas. */
export function state<const Name extends string, Source extends SchemaSource>(
  name: Name,
  schema: Source,
): State<Name, SchemaValue<Source>> {
  return new State(name, schema);
}

/** Wraps a JSON Schema (2020-12) with the type of its values: `jsonSchema<{ i: number }>({ type: 'object', … })`. Needs no zod. */
export function jsonSchema<Value>(schema: JsonSchema): TypedJsonSchema<Value> {
  return new TypedJsonSchema(schema);
}
