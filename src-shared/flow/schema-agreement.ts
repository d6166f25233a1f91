import { canonicalJson, isJsonObject, type Json } from '#shared/json.ts';

/** Annotations: keywords without effect on validation. */
const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$schema',
]);

/** Keywords whose value holds schemas by name, and keywords whose value is no schema at all. */
const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const plainValues: ReadonlySet<string> = new Set(['const', 'enum', 'required', 'dependentRequired']);

/** Whether two schemas are equal, annotations and the order of keys aside. */
export function schemasAgree(a: Json, b: Json): boolean {
  return a === b || canonicalJson(withoutAnnotations(a)) === canonicalJson(withoutAnnotations(b));
}

function withoutAnnotations(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key]) => !annotations.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (plainValues.has(key)) return [key, value];
      if (namedSchemas.has(key) && isJsonObject(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutAnnotations(inner)]))];
      }
      return [key, withoutAnnotations(value)];
    }),
  );
}
