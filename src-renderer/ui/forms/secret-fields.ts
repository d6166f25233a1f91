import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';

/** Schemas inside schemas are followed this deep. */
const deepest = 20;

/** Whether a schema marks a value as secret, itself or anywhere inside: `format: password` or `writeOnly`. */
export function hasSecretFields(schema: Json | JsonSchema | undefined, depth = 0): boolean {
  if (!isJsonObject(schema) || depth > deepest) return false;
  if (schema.format === 'password' || schema.writeOnly === true) return true;
  return Object.values(schema).some((part) =>
    Array.isArray(part) ? part.some((one) => hasSecretFields(one, depth + 1)) : hasSecretFields(part, depth + 1),
  );
}

/** The value without the fields that its schema marks as secret; undefined when nothing is left. */
export function withoutSecretFields(schema: Json | JsonSchema | undefined, value: Json | undefined): Json | undefined {
  if (value === undefined || !hasSecretFields(schema) || !isJsonObject(schema)) return value;
  const { format, writeOnly, properties, items } = schema;
  if (format === 'password' || writeOnly === true) return undefined;
  if (Array.isArray(value) && isJsonObject(items)) return value.flatMap((item) => withoutSecretFields(items, item) ?? []);
  // References and alternatives hide where the secret is, so keep nothing.
  if (!isJsonObject(value) || !isJsonObject(properties)) return undefined;
  const kept = Object.entries(value).flatMap(([name, part]) => {
    const rest = withoutSecretFields(Object.hasOwn(properties, name) ? properties[name] : undefined, part);
    return rest === undefined ? [] : [[name, rest] as const];
  });
  const { properties: _seen, ...others } = schema;
  return hasSecretFields(others) ? undefined : Object.fromEntries(kept);
}
