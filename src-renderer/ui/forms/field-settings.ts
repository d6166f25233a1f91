import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';

/** Usual names of long texts, for when neither the schema nor the value tells. */
const longNames = /^(body|content|text|message|prompt|description|notes?|comment|reply|answer|summary|source|code|question)$/i;
const longLength = 80;

function isLongText(name: string, schema: Record<string, Json>, value: Json | undefined): boolean {
  if (typeof value === 'string') return value.includes('\n') || value.length > longLength || longNames.test(name);
  const { maxLength } = schema;
  return longNames.test(name) || (typeof maxLength === 'number' && maxLength > 200);
}

function settingsOf(
  name: string,
  schema: Json | undefined,
  value: Json | undefined,
  required: boolean,
  depth: number,
): UiSchema | undefined {
  if (!isJsonObject(schema) || depth > 8) return undefined;
  const { type, properties, items, required: names } = schema;
  if (isJsonObject(properties)) {
    const settings: Record<string, UiSchema> = {};
    for (const [key, property] of Object.entries(properties)) {
      const inner = isJsonObject(value) ? value[key] : undefined;
      const found = settingsOf(key, property, inner, Array.isArray(names) && names.includes(key), depth + 1);
      if (found) settings[key] = found;
    }
    return settings;
  }
  if (isJsonObject(items)) {
    const found = settingsOf(name, items, Array.isArray(value) ? value[0] : undefined, true, depth + 1);
    return found && { items: found };
  }
  if (type !== 'string' || schema.enum || schema.format) return undefined;
  return {
    // A required text that was cleared is an empty text, not a missing one.
    ...(required && { 'ui:emptyValue': '' }),
    ...(isLongText(name, schema, value) && {
      'ui:widget': 'textarea',
      'ui:options': { autosize: true, minRows: 3, maxRows: 14, ...(required && { emptyValue: '' }) },
    }),
  };
}

/** Settings of a form's fields: long texts get large ones. `value` is the form's first value. */
export function fieldSettings(schema: JsonSchema, value: Json | undefined): UiSchema {
  return { ...settingsOf('', schema, value, true, 0), 'ui:submitButtonOptions': { norender: true } };
}

/** Whether a schema has a form; one without a type can only be edited as JSON. */
export function hasForm(schema: JsonSchema): schema is RJSFSchema & Exclude<JsonSchema, boolean> {
  if (typeof schema === 'boolean') return false;
  const { type, properties, $ref, enum: values, oneOf, anyOf } = schema;
  if (type === 'object' || (type === undefined && properties)) return isJsonObject(properties) || isJsonObject(schema.additionalProperties);
  if (type === 'array') return isJsonObject(schema.items);
  if (typeof type === 'string') return type !== 'null';
  return Boolean($ref || values || oneOf || anyOf);
}
