import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import { texts } from './texts.ts';

/** A field of an object, as a table shows it. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** The fields of an object schema; null for any other schema. */
export function schemaFields(schema: JsonSchema): readonly SchemaField[] | null {
  if (typeof schema === 'boolean' || !isJsonObject(schema.properties)) return null;
  const required = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
  return Object.entries(schema.properties).map(([name, field]) => ({
    name,
    type: typeOf(field),
    required: required.includes(name),
    description: isJsonObject(field) && typeof field.description === 'string' ? field.description : '',
  }));
}

/** The type of a schema, in a few words. */
export function typeOf(schema: Json): string {
  if (!isJsonObject(schema)) return texts.parameters.any;
  if (Array.isArray(schema.enum)) return (schema.enum as readonly Json[]).map((value) => JSON.stringify(value)).join(', ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const forms = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(forms)) return [...new Set((forms as readonly Json[]).map(typeOf))].join(texts.parameters.or);
  if (schema.type === 'array') return isJsonObject(schema.items) ? texts.parameters.listOf(typeOf(schema.items)) : texts.parameters.list;
  if (Array.isArray(schema.type)) return schema.type.join(texts.parameters.or);
  return typeof schema.type === 'string' ? schema.type : texts.parameters.any;
}
