import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';

/** Most values in the schema of one parameter, all references inserted. Deeper parts of larger ones accept anything. */
const mostValues = 5000;

/** Keys that are not part of JSON Schema, and that only describe. */
const descriptive: ReadonlySet<string> = new Set(['xml', 'discriminator', 'example', 'examples', 'externalDocs', 'deprecated', 'nullable']);

/** What a reference in an OpenAPI document leads to; any other value as it is. External references lead nowhere. */
export function dereference(spec: JsonObject, value: Json | undefined): Json | undefined {
  let found = value;
  for (let hops = 0; isJsonObject(found) && typeof found.$ref === 'string' && hops < 100; hops += 1) found = at(spec, found.$ref);
  return found;
}

function at(spec: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let found: Json | undefined = spec;
  for (const segment of reference.slice(2).split('/')) {
    const key = decode(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A schema of an OpenAPI document (3.0 or 3.1) as JSON Schema of its own. A reference that leads back to itself accepts anything. */
export function resolveSchema(spec: JsonObject, schema: Json | undefined): JsonSchema {
  let values = 0;
  const resolve = (value: Json | undefined, open: ReadonlySet<string>): Json => {
    values += 1;
    if (values > mostValues) return {};
    if (Array.isArray(value)) return value.map((item) => resolve(item, open));
    if (!isJsonObject(value)) return value ?? true;
    if (typeof value.$ref === 'string') {
      if (open.has(value.$ref)) return {};
      return resolve(dereference(spec, value) ?? {}, new Set([...open, value.$ref]));
    }
    const entries = Object.entries(value).flatMap(([key, item]) => {
      // A property may have any name.
      if (key === 'properties' && isJsonObject(item)) {
        const properties = Object.entries(item).map(([name, property]) => [name, resolve(property, open)] as const);
        return [[key, Object.fromEntries(properties)] as const];
      }
      // In OpenAPI 3.0, `exclusiveMinimum: true` makes `minimum` exclusive.
      if (descriptive.has(key) || key.startsWith('x-') || (key.startsWith('exclusive') && typeof item === 'boolean')) return [];
      return [[key, key === 'enum' || key === 'const' || key === 'default' ? item : resolve(item, open)] as const];
    });
    const resolved = Object.fromEntries(entries) as JsonObject;
    return value.nullable === true ? orNull(resolved) : resolved;
  };
  const resolved = resolve(schema ?? {}, new Set());
  return isJsonObject(resolved) || typeof resolved === 'boolean' ? resolved : {};
}

/** `nullable` of OpenAPI 3.0. */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  const listed: JsonObject = Array.isArray(values) && !values.includes(null) ? { enum: [...(values as readonly Json[]), null] } : {};
  return typeof type === 'string' ? { ...schema, type: [type, 'null'], ...listed } : { anyOf: [schema, { type: 'null' }] };
}
