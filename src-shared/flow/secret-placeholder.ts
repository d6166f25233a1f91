import { isJsonObject, type Json } from '#shared/json.ts';

/** `{secret:NAME}`, the placeholder of a secret. */
export const secretPlaceholder = /\{secret:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Names of the secrets that a value asks for, at any depth. */
export function secretsIn(value: Json): string[] {
  if (typeof value === 'string') return [...value.matchAll(secretPlaceholder)].map(([, name]) => name as string);
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, item]) => [...secretsIn(key), ...secretsIn(item)]) : [];
}
