import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import { faultsOf } from './field-faults.ts';
import { firstValue } from './first-value.ts';

export interface Prefilled {
  /** The first value of a form, or undefined. */
  readonly value: Json | undefined;
  /** Whether any of it came from the state. */
  readonly fromState: boolean;
}

/**
 * The first value of an answer's form: fields of the state with the same name and a matching type; `false` for a required
 * boolean without a default. An answer that is a text or number is prefilled from a state of that type.
 */
export function prefilled(schema: JsonSchema, state: Json | undefined): Prefilled {
  if (typeof schema === 'boolean') return { value: firstValue(schema), fromState: false };
  const { properties, type } = schema;
  if (!isJsonObject(properties)) {
    const fits = typeof state === type && typeof type === 'string' && faultsOf(schema, state).length === 0;
    return fits ? { value: state, fromState: true } : { value: firstValue(schema), fromState: false };
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields: [string, Json][] = [];
  let fromState = false;
  for (const [name, part] of Object.entries(properties)) {
    const field = partOf(schema, part);
    const known = isJsonObject(state) && Object.hasOwn(state, name) ? state[name] : undefined;
    if (known !== undefined && field !== true && faultsOf(field, known).length === 0) {
      fields.push([name, known]);
      fromState = true;
    } else if (required.has(name) && isBoolean(field)) fields.push([name, false]);
  }
  return { value: fields.length > 0 ? Object.fromEntries(fields) : firstValue(schema), fromState };
}

/** An answer that is only yes or no: the question, and the answer for each. */
export interface YesOrNo {
  /** The title of the field; empty if it has none. */
  readonly label: string;
  readonly description: string;
  readonly answer: (yes: boolean) => Json;
}

/** The only boolean of a schema: the schema itself, or the only field of an object. Null for every other schema. */
export function yesOrNo(schema: JsonSchema): YesOrNo | null {
  if (typeof schema === 'boolean') return null;
  if (schema.type === 'boolean') return asked(schema, '', (yes) => yes);
  const fields = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  const [only] = fields;
  if (fields.length !== 1 || !only) return null;
  const [name, part] = only;
  const field = partOf(schema, part);
  const decides = typeof field === 'object' && field.type === 'boolean' && field.const === undefined && field.enum === undefined;
  return decides ? asked(field, name, (yes) => ({ [name]: yes })) : null;
}

function asked({ title, description }: Exclude<JsonSchema, boolean>, name: string, answer: YesOrNo['answer']): YesOrNo {
  return { label: typeof title === 'string' ? title : name, description: typeof description === 'string' ? description : '', answer };
}

function isBoolean(field: JsonSchema): boolean {
  return typeof field === 'object' && field.type === 'boolean' && field.default === undefined && faultsOf(field, false).length === 0;
}

/** A field's schema with the definitions of the whole, so that its references still resolve. */
function partOf({ $defs, definitions }: Exclude<JsonSchema, boolean>, part: Json | undefined): JsonSchema {
  if (!isJsonObject(part)) return true;
  return { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }), ...part };
}
