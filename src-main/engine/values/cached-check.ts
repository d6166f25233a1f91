import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { isFrozenJson } from './freeze-json.ts';
import type { SchemaCheck } from './schema-validator.ts';

/** A property of an object schema, and the large values known to fit it. They are frozen. */
interface Part {
  readonly name: string;
  readonly check: SchemaCheck;
  readonly fitting: WeakSet<object>;
}

/**
 * Caches `whole`, the check of a plain schema, for large frozen arrays and objects in a state's fields, which are carried from step to step.
 * The keywords of a plain schema are independent of each other, so a value fits if it fits the schema without some of its properties, and
 * these fit their own schemas. A value that does not fit is passed to `whole`, which says why.
 */
export function cachedCheck(schema: JsonSchema, whole: SchemaCheck, compile: (schema: JsonSchema) => SchemaCheck): SchemaCheck {
  const names = containersOf(schema);
  if (names.length === 0) return whole;
  let rest: SchemaCheck | undefined;
  let parts: readonly Part[] = [];
  return (value) => {
    if (!isJsonObject(value) || !names.some((name) => isLarge(value, name))) return whole(value);
    if (rest === undefined) {
      const object = schema as JsonObject;
      const properties = object.properties as JsonObject;
      rest = compile({ ...object, properties: { ...properties, ...Object.fromEntries(names.map((name) => [name, true])) } });
      parts = names.map((name) => ({ name, check: compile(properties[name] as JsonSchema), fitting: new WeakSet() }));
    }
    return rest(value) === null && parts.every((part) => fits(part, value)) ? null : whole(value);
  };
}

/** Names of the properties that are lists or objects with a further schema. */
function containersOf(schema: JsonSchema): string[] {
  const properties = isJsonObject(schema) ? schema.properties : undefined;
  if (!isJsonObject(properties)) return [];
  return Object.keys(properties).filter((name) => {
    const property = properties[name];
    return name !== '__proto__' && isJsonObject(property) && (property.type === 'array' || property.type === 'object');
  });
}

function isLarge(value: JsonObject, name: string): boolean {
  const field: Json | undefined = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof field === 'object' && field !== null && isFrozenJson(field);
}

function fits({ name, check, fitting }: Part, value: JsonObject): boolean {
  if (!Object.hasOwn(value, name)) return true;
  const field = value[name] as Json;
  if (typeof field !== 'object' || field === null) return check(field) === null;
  if (fitting.has(field)) return true;
  if (check(field) !== null) return false;
  if (isFrozenJson(field)) fitting.add(field);
  return true;
}
