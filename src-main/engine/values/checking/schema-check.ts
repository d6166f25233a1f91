import type { Json, JsonSchema } from '#shared/json.ts';

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

/** What checks values: ajv, which generates code, or the interpreter where that is refused. */
export interface SchemaEngine {
  /** What the draft has against a schema; null if it is a valid one. */
  fault(schema: JsonSchema): SchemaFault | null;
  /** Makes a check of a valid schema. Throws for one that cannot be used all the same. The check may throw `CheckingTooLong`. */
  compile(schema: JsonSchema): SchemaCheck;
  /** Every way in which a value misses a schema. */
  violations(schema: JsonSchema, value: Json): readonly SchemaViolation[];
}

/** Keywords whose value holds schemas by name, and keywords whose value is no schema at all. */
export const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
export const plainValues: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
