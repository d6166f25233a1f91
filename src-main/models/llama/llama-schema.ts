import type { SchemaDialect } from '#main/models/schema/dialects.ts';
import { type SentSchema, sentSchema } from '#main/models/schema/sent-schema.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';

/**
 * The schema dialect of `node-llama-cpp` grammars. Source: its `GbnfJsonSchema`: every property of an object is generated, in order; no
 * patterns and no number bounds.
 */
const llamaGrammar: SchemaDialect = {
  keywords: new Set(['type', 'description', 'enum', 'minItems', 'maxItems', 'minLength', 'maxLength']),
  formats: new Set(['date-time', 'time', 'date']),
  closed: true,
  all_required: true,
  object_root: false,
  maps_and_places: true,
};

/** Repetitions are expanded in a grammar, so larger bounds would make it slow; the engine validates them anyway. */
const longestBound = 200;
const bounds = ['minItems', 'maxItems', 'minLength', 'maxLength'];

/** A schema that a grammar can express. Otherwise `exact` is false and `schema` is the author's own. */
export function grammarSchema(schema: JsonSchema): SentSchema {
  const sent = sentSchema(schema, llamaGrammar);
  if (!sent.exact) return sent;
  const { $defs, ...schemaItself } = sent.schema;
  return { ...sent, schema: { ...inGrammar(schemaItself), ...(isJsonObject($defs) && { $defs: eachInGrammar($defs) }) } };
}

function eachInGrammar(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, inGrammar(each as JsonObject)]));
}

/** The schema of a call of one of the tools: `{"tool": NAME, "input": …}`. Inputs that a grammar cannot express are any object. */
export function callSchema(tools: readonly { readonly name: string; readonly input: SentSchema }[]): JsonObject {
  const calls = tools.map(({ name, input }) => ({
    type: 'object',
    properties: { tool: { const: name }, input: input.exact ? input.schema : { type: 'object', additionalProperties: true } },
    required: ['tool', 'input'],
    additionalProperties: false,
  }));
  return calls.length === 1 && calls[0] ? calls[0] : { oneOf: calls };
}

function inGrammar(schema: JsonObject): JsonObject {
  const { anyOf, type, properties, items, prefixItems, additionalProperties, ...kept } = schema;
  for (const bound of bounds) if (Number(kept[bound]) > longestBound) delete (kept as Record<string, Json>)[bound];
  if (Array.isArray(anyOf)) return { oneOf: (anyOf as readonly JsonObject[]).map(inGrammar) };
  if (kept.enum !== undefined) return { enum: kept.enum };
  // Only scalars may have several types.
  const inner = [properties, items, prefixItems, additionalProperties];
  if (Array.isArray(type) && (inner.some((each) => each !== undefined) || Object.keys(kept).length > 0)) {
    return { oneOf: (type as readonly string[]).map((each) => inGrammar(ofType(schema, each))) };
  }
  return {
    ...kept,
    ...(type !== undefined && { type }),
    ...(isJsonObject(properties) && { properties: eachInGrammar(properties) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isJsonObject(additionalProperties) ? inGrammar(additionalProperties) : additionalProperties,
    }),
    ...(Array.isArray(prefixItems) && { prefixItems: (prefixItems as readonly JsonObject[]).map(inGrammar) }),
    ...(isJsonObject(items) && { items: inGrammar(items) }),
  };
}

/** Narrows a schema with several types to one of them. */
function ofType(schema: JsonObject, type: string): JsonObject {
  const { description, properties, required, additionalProperties, items, prefixItems, minItems, maxItems, minLength, maxLength, format } =
    schema;
  const known: Readonly<Record<string, Readonly<Record<string, Json | undefined>>>> = {
    object: { properties, required, additionalProperties },
    array: { items, prefixItems, minItems, maxItems },
    string: { minLength, maxLength, format },
  };
  const own = Object.entries({ description, ...known[type] }).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return { type, ...Object.fromEntries(own) };
}
