import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { dereference, resolveSchema } from './resolve-schema.ts';
import { snakeCase } from './snake-case.ts';

const methods = ['get', 'post', 'put', 'delete', 'patch', 'head', 'options', 'trace'] as const;

/** Where an argument goes. `body`: a field of the body, or all of it if it is named `whole`. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie' | 'body';

/** An argument of an operation. */
export interface ApiParameter {
  /** As the tool calls it. */
  readonly name: string;
  /** As the API calls it. */
  readonly original: string;
  readonly place: ParameterPlace;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** An operation of an API. */
export interface ApiOperation {
  /** The `operationId` in snake_case. */
  readonly name: string;
  readonly method: string;
  /** With `{name}` for its parameters. */
  readonly path: string;
  readonly description: string;
  readonly parameters: readonly ApiParameter[];
  /** The type of the body, if it has one. `whole`: its only argument is all of it. */
  readonly body?: { readonly type: string; readonly whole: boolean };
}

/** An API as its document describes it. */
export interface ApiDescription {
  /** The address of the first server; empty if the document has none. */
  readonly server: string;
  readonly operations: readonly ApiOperation[];
}

/** Reads an OpenAPI 3 document. Names are made as google-adk makes them. */
export function readApi(spec: Json): ApiDescription | { readonly problem: string } {
  if (!isJsonObject(spec) || typeof spec.openapi !== 'string' || !spec.openapi.startsWith('3.')) {
    return { problem: 'it is not an OpenAPI 3 document: "openapi" must be "3.0.x" or "3.1.x"' };
  }
  const servers = Array.isArray(spec.servers) ? (spec.servers as readonly Json[]) : [];
  const server = isJsonObject(servers[0]) && typeof servers[0].url === 'string' ? withDefaults(servers[0].url, servers[0]) : '';
  const paths = isJsonObject(spec.paths) ? Object.entries(spec.paths) : [];
  const operations = paths.flatMap(([path, item]) => operationsOf(spec, path, dereference(spec, item)));
  const seen = new Set<string>();
  const distinct = operations.filter(({ name }) => {
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
  return { server, operations: distinct };
}

/** Fills the variables of a server's address with their defaults. */
function withDefaults(url: string, server: JsonObject): string {
  const variables = isJsonObject(server.variables) ? server.variables : {};
  return url.replace(/\{([^{}]+)\}/g, (match, name: string) => {
    const variable = variables[name];
    return isJsonObject(variable) && variable.default !== undefined ? String(variable.default) : match;
  });
}

function operationsOf(spec: JsonObject, path: string, item: Json | undefined): ApiOperation[] {
  if (!isJsonObject(item)) return [];
  return methods.flatMap((method) => {
    const operation = item[method];
    if (!isJsonObject(operation)) return [];
    const id = typeof operation.operationId === 'string' && operation.operationId !== '' ? operation.operationId : `${path}_${method}`;
    const own = [...listOf(operation.parameters), ...listOf(item.parameters)];
    const body = readBody(spec, dereference(spec, operation.requestBody));
    const described = [operation.description, operation.summary].find((text) => typeof text === 'string' && text !== '');
    return [
      {
        name: snakeCase(id).slice(0, 60),
        method: method.toUpperCase(),
        path,
        description: typeof described === 'string' ? described : `${method.toUpperCase()} ${path}`,
        parameters: withDistinctNames([...parametersOf(spec, own), ...(body?.parameters ?? [])]),
        ...(body && { body: { type: body.type, whole: body.whole } }),
      },
    ];
  });
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function parametersOf(spec: JsonObject, given: readonly Json[]): ApiParameter[] {
  const found = new Map<string, ApiParameter>();
  for (const one of given) {
    const parameter = dereference(spec, one);
    if (!isJsonObject(parameter) || typeof parameter.name !== 'string' || !isPlace(parameter.in)) continue;
    const { name: original, in: place, description, required, content } = parameter;
    const media = isJsonObject(content) ? Object.values(content)[0] : undefined;
    const schema = resolveSchema(spec, parameter.schema ?? (isJsonObject(media) ? media.schema : undefined));
    const key = `${place} ${original}`;
    // Those of the operation come first, and replace those of its path.
    if (!found.has(key)) {
      found.set(key, {
        name: snakeCase(original) || `${place}_param`,
        original,
        place,
        schema: describedBy(schema, description),
        required: required === true || place === 'path',
      });
    }
  }
  return [...found.values()];
}

function isPlace(value: Json | undefined): value is Exclude<ParameterPlace, 'body'> {
  return value === 'path' || value === 'query' || value === 'header' || value === 'cookie';
}

function describedBy(schema: JsonSchema, description: Json | undefined): JsonSchema {
  if (typeof description !== 'string' || description === '') return schema;
  if (typeof schema === 'boolean') return { description };
  return typeof schema.description === 'string' ? schema : { ...schema, description };
}

interface RequestBody {
  readonly type: string;
  readonly whole: boolean;
  readonly parameters: readonly ApiParameter[];
}

/** Fields of an object become arguments of their own; any other body is one argument. */
function readBody(spec: JsonObject, body: Json | undefined): RequestBody | null {
  if (!isJsonObject(body) || !isJsonObject(body.content)) return null;
  // The first type counts, but for JSON, which every client speaks.
  const types = Object.entries(body.content);
  const [type, media] = types.find(([name]) => isJsonType(name)) ?? types[0] ?? [];
  if (type === undefined) return null;
  const needed = body.required === true;
  const schema = resolveSchema(spec, isJsonObject(media) ? media.schema : undefined);
  const parameter = { place: 'body' as const, schema };
  if (isJsonObject(schema) && schema.type === 'object' && isJsonObject(schema.properties)) {
    const required = listOf(schema.required);
    const parameters = Object.entries(schema.properties).map(([original, property]) => ({
      ...parameter,
      name: snakeCase(original) || 'body',
      original,
      schema: (isJsonObject(property) || typeof property === 'boolean' ? property : {}) as JsonSchema,
      required: needed && required.includes(original),
    }));
    return { type, whole: false, parameters };
  }
  const name = isJsonObject(schema) && schema.type === 'array' ? 'array' : 'body';
  const whole = { ...parameter, name, original: name, schema: describedBy(schema, body.description), required: needed };
  return { type, whole: true, parameters: [whole] };
}

/** Whether bodies of a media type are JSON. */
export function isJsonType(type: string): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(type);
}

/** Of several arguments with one name, later ones get a number. */
function withDistinctNames(parameters: readonly ApiParameter[]): ApiParameter[] {
  const counts = new Map<string, number>();
  return parameters.map((parameter) => {
    const { name } = parameter;
    const count = counts.get(name);
    counts.set(name, (count ?? -1) + 1);
    return count === undefined ? parameter : { ...parameter, name: `${name}_${count}` };
  });
}
