import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';

/** A field of an object, as a table shows it. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** The fields that a schema of objects names; null for a schema that names none. */
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

/** The kind of value that a schema takes, in a few words. */
export function typeOf(schema: Json): string {
  if (!isJsonObject(schema)) return 'anything';
  if (Array.isArray(schema.enum)) return (schema.enum as readonly Json[]).map((value) => JSON.stringify(value)).join(', ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const forms = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(forms)) return [...new Set((forms as readonly Json[]).map(typeOf))].join(' or ');
  if (schema.type === 'array') return isJsonObject(schema.items) ? `list of ${typeOf(schema.items)}` : 'list';
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  return typeof schema.type === 'string' ? schema.type : 'anything';
}
