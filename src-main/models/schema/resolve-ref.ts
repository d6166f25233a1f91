import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';

/** Resolves a local `$ref` (`#/$defs/Item`); undefined if the target does not exist. */
export function resolveRef(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let place: Json | undefined = root;
  for (const segment of ref.split('/').slice(1)) {
    const key = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(place)) place = (place as readonly Json[])[Number(key)];
    else place = isJsonObject(place) ? place[key] : undefined;
  }
  return typeof place === 'boolean' || isJsonObject(place) ? place : undefined;
}

/** Resolves the `$ref` of a schema, if it has one. */
export function followed(root: JsonSchema, schema: JsonSchema): JsonSchema {
  const seen = new Set<JsonSchema>();
  let place = schema;
  while (isJsonObject(place) && typeof place.$ref === 'string' && !seen.has(place)) {
    seen.add(place);
    const target: JsonSchema | undefined = resolveRef(root, place.$ref);
    if (target === undefined) return true;
    const { $ref: _ref, ...rest } = place;
    place = isJsonObject(target) ? { ...(target as JsonObject), ...rest } : target;
  }
  return place;
}
