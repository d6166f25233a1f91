import type { $ZodType, output } from 'zod/v4/core';
import type { JsonSchema } from '#shared/json.ts';

/** A JSON Schema that says of which type its values are. Made by `jsonSchema`. */
export class TypedJsonSchema<out Value> {
  readonly schema: JsonSchema;
  /** For the compiler; nothing ever stands here. */
  declare readonly value?: Value;

  constructor(schema: JsonSchema) {
    this.schema = schema;
  }
}

/** What a state's schema may be given as. */
export type SchemaSource = $ZodType | TypedJsonSchema<unknown>;

/** The values that fit a schema. */
export type SchemaValue<Source extends SchemaSource> = Source extends $ZodType
  ? output<Source>
  : Source extends TypedJsonSchema<infer Value>
    ? Value
    : never;

/** A named state of a flow: values of one type, each checked against the schema before it enters a run. Made by `state`. */
export class State<out Name extends string = string, out Value = unknown> {
  readonly name: Name;
  readonly source: SchemaSource;
  /** For the compiler; nothing ever stands here. */
  declare readonly value?: Value;

  constructor(name: Name, source: SchemaSource) {
    this.name = name;
    this.source = source;
  }
}

/** Names a state and says what its values are: a zod 4 schema, or a JSON Schema wrapped by `jsonSchema`. What cannot be used is said by `build()`. */
export function state<const Name extends string, Source extends SchemaSource>(
  name: Name,
  schema: Source,
): State<Name, SchemaValue<Source>> {
  return new State(name, schema);
}

/** A state's schema as JSON Schema (2020-12), with the type that its values have: `jsonSchema<{ i: number }>({ type: 'object', … })`. Needs no zod. */
export function jsonSchema<Value>(schema: JsonSchema): TypedJsonSchema<Value> {
  return new TypedJsonSchema(schema);
}
