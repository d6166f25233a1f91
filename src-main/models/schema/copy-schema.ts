import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import type { SchemaDialect } from './dialects.ts';
import { acceptsNull, branches, requiredOf } from './nullable.ts';
import { resolveRef } from './resolve-ref.ts';

/** Thrown if a dialect cannot express a schema. `recursive` if a `$ref` refers back to itself. */
export class Inexpressible extends Error {
  readonly recursive: boolean;

  constructor(what: string, recursive = false) {
    super(what);
    this.recursive = recursive;
  }
}

const unsayable = ['not', 'if', 'dependentRequired', 'dependentSchemas', 'patternProperties', 'prefixItems', 'contains'];

/** Copies a schema in a provider's dialect with every `$ref` expanded. Throws `Inexpressible`. */
export function copySchema(schema: JsonSchema, dialect: SchemaDialect): JsonObject {
  try {
    return new Copy(schema, dialect, false).whole();
  } catch (error) {
    // Expand if possible, because small models also get the schema in the prompt.
    if (!(error instanceof Inexpressible && error.recursive && dialect.maps_and_places)) throw error;
    return new Copy(schema, dialect, true).whole();
  }
}

class Copy {
  readonly #root: JsonSchema;
  readonly #dialect: SchemaDialect;
  /** References are named instead of expanded. */
  readonly #named: boolean;
  readonly #names = new Map<string, string>();
  readonly #definitions: Record<string, Json> = {};

  constructor(root: JsonSchema, dialect: SchemaDialect, named: boolean) {
    this.#root = root;
    this.#dialect = dialect;
    this.#named = named;
  }

  whole(): JsonObject {
    const copy = this.of(this.#root, []);
    return this.#names.size > 0 ? { ...copy, $defs: this.#definitions } : copy;
  }

  /** `open`: the references being expanded. */
  of(schema: JsonSchema, open: readonly string[]): JsonObject {
    if (!isJsonObject(schema)) return this.#anything();
    const { $ref: ref, ...own } = schema;
    if (typeof ref === 'string') return this.#reference(ref, own, open);
    const whole = this.#merged(schema);
    const unknown = this.#dialect.closed
      ? unsayable.find((keyword) => keyword in whole && !(this.#dialect.maps_and_places && keyword === 'prefixItems'))
      : undefined;
    if (unknown !== undefined) throw new Inexpressible(`${unknown} cannot be sent`);
    const some = branches(whole.anyOf ?? whole.oneOf);
    const types = typesOf(whole);
    const copy: Record<string, Json> = {};
    for (const [keyword, value] of Object.entries(whole)) if (this.#dialect.keywords.has(keyword)) copy[keyword] = value;
    if (whole.const !== undefined) copy.enum = [whole.const];
    if (types !== undefined) copy.type = types;
    if (typeof whole.format === 'string' && this.#dialect.formats.has(whole.format)) copy.format = whole.format;
    if (some.length > 0) copy.anyOf = some.map((branch) => this.of(branch, open));
    if (includes(types, 'object')) Object.assign(copy, this.#properties(whole, open));
    if (includes(types, 'array')) Object.assign(copy, this.#items(whole, open));
    if (types === undefined && some.length === 0 && copy.enum === undefined) return { ...copy, ...this.#anything() };
    return copy;
  }

  #reference(ref: string, own: JsonObject, open: readonly string[]): JsonObject {
    if (open.includes(ref)) throw new Inexpressible(`${ref} contains itself`, true);
    const target = resolveRef(this.#root, ref);
    if (target === undefined) throw new Inexpressible(`${ref} leads nowhere`);
    if (this.#named && isJsonObject(target) && target.$ref === undefined) return this.#naming(ref, target);
    const joined = isJsonObject(target) && Object.keys(own).length > 0 ? { ...target, ...own } : target;
    return this.of(joined, [...open, ref]);
  }

  #naming(ref: string, target: JsonObject): JsonObject {
    const known = this.#names.get(ref);
    const name = known ?? `part_${this.#names.size + 1}`;
    this.#names.set(ref, name);
    if (known === undefined) this.#definitions[name] = this.of(target, []);
    return { $ref: `#/$defs/${name}` };
  }

  /** A schema that accepts any value. */
  #anything(): JsonObject {
    if (this.#dialect.closed) throw new Inexpressible('a value of any kind cannot be sent');
    return {};
  }

  /** Merges the `allOf` of a schema. */
  #merged(schema: JsonObject): JsonObject {
    const { allOf, ...own } = schema;
    let whole = own as JsonObject;
    for (const branch of branches(allOf)) {
      const part = isJsonObject(branch) && typeof branch.$ref === 'string' ? resolveRef(this.#root, branch.$ref) : branch;
      if (!isJsonObject(part) || '$ref' in part || 'allOf' in part) throw new Inexpressible('allOf cannot be put together');
      const properties = { ...(whole.properties as JsonObject | undefined), ...(part.properties as JsonObject | undefined) };
      const required = [...requiredOf(whole), ...requiredOf(part)];
      whole = { ...part, ...whole, ...(Object.keys(properties).length > 0 && { properties }), ...(required.length > 0 && { required }) };
    }
    return whole;
  }

  #items({ items, prefixItems }: JsonObject, open: readonly string[]): JsonObject {
    const first = branches(prefixItems).map((item) => this.of(item, open));
    if (first.length > 0 && this.#dialect.closed && !isJsonObject(items))
      return { prefixItems: first, minItems: first.length, maxItems: first.length };
    return { ...(first.length > 0 && { prefixItems: first }), items: this.of((items as JsonSchema | undefined) ?? true, open) };
  }

  /** Additional properties in an open dialect. For `patternProperties` it can only express that there may be some. */
  #others({ additionalProperties: more, patternProperties }: JsonObject, open: readonly string[]): JsonObject {
    if (patternProperties !== undefined) return { additionalProperties: true };
    if (more === undefined) return {};
    return { additionalProperties: isJsonObject(more) ? this.of(more, open) : more };
  }

  #properties(schema: JsonObject, open: readonly string[]): JsonObject {
    const listed = isJsonObject(schema.properties) ? Object.entries(schema.properties as Readonly<Record<string, JsonSchema>>) : [];
    const { closed, all_required, maps_and_places = false } = this.#dialect;
    const more = schema.additionalProperties;
    const isOpen = maps_and_places && (more === undefined ? listed.length === 0 : more !== false);
    if (closed && !isOpen && (more === true || isJsonObject(more)))
      throw new Inexpressible('an object with properties of any name cannot be sent');
    if (closed && !isOpen && listed.length === 0 && more !== false)
      throw new Inexpressible('an object whose properties are not listed cannot be sent');
    const required = requiredOf(schema);
    const properties = listed.map(([name, value]) => {
      const copy = this.of(value, open);
      const optional = all_required && !required.has(name) && !acceptsNull(this.#root, value);
      return [name, optional ? orNull(copy) : copy] as const;
    });
    const wanted = all_required ? listed.map(([name]) => name) : [...required].filter((name) => listed.some(([known]) => known === name));
    // Omit an empty list of properties, which would be treated as complete.
    const isMap = !closed && schema.properties === undefined && more !== false;
    return {
      ...(!isMap && { properties: Object.fromEntries(properties) }),
      ...((all_required || wanted.length > 0) && { required: wanted }),
      ...(isOpen
        ? { additionalProperties: isJsonObject(more) ? this.of(more, open) : true }
        : closed
          ? { additionalProperties: false }
          : this.#others(schema, open)),
    };
  }
}

/** The `type` of a schema, inferred from its other keywords if missing. */
function typesOf(schema: JsonObject): Json | undefined {
  if (schema.type !== undefined) return schema.type;
  if (schema.properties !== undefined || schema.patternProperties !== undefined || isJsonObject(schema.additionalProperties))
    return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  const values = schema.const !== undefined ? [schema.const] : ((schema.enum as readonly Json[] | undefined) ?? []);
  const types = [...new Set(values.map(typeOf))];
  return types.length > 1 ? types : types[0];
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function includes(types: Json | undefined, type: string): boolean {
  return types === type || (Array.isArray(types) && (types as readonly Json[]).includes(type));
}

function orNull(copy: JsonObject): JsonObject {
  const { type, enum: values } = copy;
  if (type === undefined) return { anyOf: [copy, { type: 'null' }] };
  const types = [...(Array.isArray(type) ? (type as readonly Json[]) : [type]), 'null'];
  return { ...copy, type: types, ...(Array.isArray(values) && { enum: [...(values as readonly Json[]), null] }) };
}
