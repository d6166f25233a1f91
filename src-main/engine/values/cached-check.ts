import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { isSettled } from './freeze-json.ts';
import type { SchemaCheck } from './schema-validator.ts';

/** A property of an object schema, and the large values that were found to fit it: they cannot change. */
interface Part {
  readonly name: string;
  readonly check: SchemaCheck;
  readonly fitting: WeakSet<object>;
}

/**
 * `whole`, the check of a plain schema, made to look once at large lists and objects that stand in a state's fields and are carried from step to
 * step. The keywords of a plain schema hold each by itself, so a value fits it when it fits the schema without what is said of some properties, and
 * these fit what is said of them. A value that does not is given to `whole`, which says why.
 */
export function checkOnce(schema: JsonSchema, whole: SchemaCheck, compile: (schema: JsonSchema) => SchemaCheck): SchemaCheck {
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

/** Names of the properties that are lists or objects, of which more is said than that. */
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
  return typeof field === 'object' && field !== null && isSettled(field);
}

function fits({ name, check, fitting }: Part, value: JsonObject): boolean {
  if (!Object.hasOwn(value, name)) return true;
  const field = value[name] as Json;
  if (typeof field !== 'object' || field === null) return check(field) === null;
  if (fitting.has(field)) return true;
  if (check(field) !== null) return false;
  if (isSettled(field)) fitting.add(field);
  return true;
}
