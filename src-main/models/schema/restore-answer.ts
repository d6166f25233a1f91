import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { acceptsNull, branches, requiredOf } from './nullable.ts';
import { followed } from './resolve-ref.ts';

/** Removes the null properties from an answer that are null only because the dialect made optional properties required. */
export function withoutNulls(root: JsonSchema, value: Json, schemas: readonly JsonSchema[] = [root]): Json {
  const places = schemas.flatMap((schema) => spread(root, schema, []));
  if (Array.isArray(value)) {
    const items = places.flatMap(({ items: each }) => (each === undefined ? [] : [each as JsonSchema]));
    return (value as readonly Json[]).map((item) => withoutNulls(root, item, items));
  }
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, field]): (readonly [string, Json])[] => {
    const owners = places.filter(({ properties }) => isJsonObject(properties) && name in properties);
    const found = owners.map(({ properties }) => (properties as Readonly<Record<string, JsonSchema>>)[name] as JsonSchema);
    const meant =
      owners.length === 0 || owners.some((owner, index) => requiredOf(owner).has(name) || acceptsNull(root, found[index] ?? true));
    return field === null && !meant ? [] : [[name, withoutNulls(root, field, found)]];
  });
  return Object.fromEntries(kept);
}

/** A schema and all its subschemas that apply to the same value. */
function spread(root: JsonSchema, schema: JsonSchema, seen: readonly JsonSchema[]): JsonObject[] {
  const place = followed(root, schema);
  if (!isJsonObject(place) || seen.includes(place)) return [];
  const parts = [...branches(place.anyOf), ...branches(place.oneOf), ...branches(place.allOf)];
  return [place, ...parts.flatMap((part) => spread(root, part, [...seen, place]))];
}
