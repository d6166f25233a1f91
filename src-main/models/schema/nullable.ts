import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { followed } from './resolve-ref.ts';

/** Whether null matches the schema. In doubt (`not`, conditions) it does. */
export function acceptsNull(root: JsonSchema, schema: JsonSchema): boolean {
  const place = followed(root, schema);
  if (!isJsonObject(place)) return place;
  const { type, enum: values, const: constant } = place;
  if (type !== undefined && type !== 'null' && !(Array.isArray(type) && (type as readonly Json[]).includes('null'))) return false;
  if (constant !== undefined && constant !== null) return false;
  if (Array.isArray(values) && !(values as readonly Json[]).includes(null)) return false;
  const some = branches(place.anyOf ?? place.oneOf);
  if (some.length > 0 && !some.some((branch) => acceptsNull(root, branch))) return false;
  return branches(place.allOf).every((branch) => acceptsNull(root, branch));
}

/** The schemas of an `anyOf`, `oneOf` or `allOf`. */
export function branches(value: Json | undefined): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as readonly JsonSchema[]) : [];
}

/** The names of the required properties. */
export function requiredOf({ required }: JsonObject): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? (required as readonly string[]) : []);
}
