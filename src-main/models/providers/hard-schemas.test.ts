import { LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { compileSchema } from '#main/engine/values/schema-validator.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { mockOptions, VendorServer } from '#main/models/testing/vendor-server.ts';
import { type TestedVendor, testedVendors, testKey } from '#main/models/testing/vendors.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';

let server: VendorServer;
beforeAll(async () => {
  server = await VendorServer.start(new LLMock(mockOptions));
});
afterEach(() => server.reset());
afterAll(() => server.stop());

async function complete(vendor: TestedVendor, request: Partial<ModelRequest>) {
  const settings = { providers: { house: { base_url: `${server.url}/v1` } } };
  const environment = { ...vendor.environment?.(server), OPENAI_API_KEY: testKey };
  const client = await createModelClients({ folder: '/nowhere', trusted: true, settings, environment })(vendor.url(server));
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] } as const] as unknown as ModelRequest['messages'];
  return client.complete({ messages, tools: [], params: {}, turn: 0, signal: new AbortController().signal, ...request });
}

const at = (value: Json | undefined, ...path: string[]): Json | undefined =>
  path.reduce<Json | undefined>((place, key) => (isJsonObject(place) ? place[key] : undefined), value);

/** The schema that a request holds its model to; undefined where it is told in words. */
const heldTo = (body: JsonObject): Json | undefined =>
  at(body, 'text', 'format', 'schema') ??
  at(body, 'output_config', 'format', 'schema') ??
  at(body, 'generationConfig', 'responseJsonSchema') ??
  at(body, 'response_format', 'json_schema', 'schema') ??
  at(body, 'format');

/** A value as a model gives it that is held to `schema`: wrapped where that is, and null where a property is demanded that it has not. */
function asHeld(schema: Json | undefined, value: Json): Json {
  if (!isJsonObject(schema)) return value;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  if ('output' in properties && !(isJsonObject(value) && 'output' in value)) return { output: asHeld(properties.output, value) };
  if (Array.isArray(value)) return value.map((item: Json) => asHeld(schema.items, item));
  if (!isJsonObject(value)) return value;
  const missing = ((schema.required ?? []) as string[]).filter((name) => !(name in value)).map((name) => [name, null] as const);
  return Object.fromEntries([...Object.entries(value).map(([name, each]) => [name, asHeld(properties[name], each)] as const), ...missing]);
}

const tree: JsonSchema = {
  $defs: {
    Tree: {
      type: 'object',
      properties: { of: { type: 'array', items: { $ref: '#/$defs/Tree' } }, name: { type: 'string' } },
      required: ['name'],
    },
  },
  $ref: '#/$defs/Tree',
};

const schemas: readonly (readonly [what: string, schema: JsonSchema, value: Json])[] = [
  [
    'a choice of objects',
    { oneOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, { type: 'null' }] },
    { a: 'x' },
  ],
  [
    'a choice inside',
    { type: 'object', properties: { c: { oneOf: [{ type: 'string' }, { type: 'integer' }] } }, required: ['c'] },
    { c: 4 },
  ],
  ['names by a pattern', { type: 'object', patternProperties: { '^x-': { type: 'integer' } }, additionalProperties: false }, { 'x-a': 1 }],
  ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, { any: 1 }],
  ['an object of anything', { type: 'object' }, { any: [1, { b: null }] }],
  ['anything', {}, [{ any: 'thing' }]],
  ['what contains itself', tree, { name: 'root', of: [{ name: 'leaf', of: [] }, { name: 'bare' }] }],
  [
    'a list of what contains itself',
    {
      ...(tree as JsonObject),
      $ref: '#/$defs/List',
      $defs: { ...(tree as { $defs: JsonObject }).$defs, List: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
    },
    [{ name: 'a' }],
  ],
  ['optional properties', { type: 'object', properties: { a: { type: 'string' }, b: { type: ['string', 'null'] } } }, { b: null }],
  [
    'a list',
    { type: 'array', items: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a'] } },
    [{ a: 'x' }],
  ],
  ['a text', { type: 'string', minLength: 2 }, 'yes'],
  ['a number', { type: 'integer', minimum: 3 }, 7],
  ['a few words', { enum: ['good', 'bad', 3] }, 'bad'],
  ['places of a list', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }, ['a', 1]],
  [
    'what is put together',
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { not: { type: 'string' } } } },
      ],
    },
    { a: 'x', b: 1 },
  ],
];

describe.each(testedVendors)('$name', (vendor) => {
  it.each(schemas)('receives %s by its own rules and answers with what fits it', async (_what, output_schema, value) => {
    expect(compileSchema(output_schema)(value)).toBeNull();
    let held: Json | undefined;
    server.mock.addFixture({
      match: { predicate: () => true },
      response: () => {
        held = heldTo(server.requests.at(-1)?.body ?? {});
        return { content: JSON.stringify(asHeld(held, value)) };
      },
    });
    const ended = await complete(vendor, { output_schema }).catch((error: Error) => error);
    if (ended instanceof Error) {
      // Gemini cannot be told of a schema that contains itself, and says so before anything is sent.
      expect([vendor.name, server.requests.length, ended.message]).toEqual(['gemini', 0, expect.stringContaining('contains itself')]);
      return;
    }
    expect(vendor.rules(server.requests.at(-1)?.body ?? {})).toEqual([]);
    const [part] = ended.message.content as readonly { readonly text: string }[];
    expect(JSON.parse(part?.text ?? '')).toEqual(value);
    // Where it is held to a schema, that one takes what was answered.
    if (held !== undefined && vendor.name !== 'gemini') expect(compileSchema(held as JsonSchema)(asHeld(held, value))).toBeNull();
  });

  it('receives every tool as one that takes an object', async () => {
    server.mock.addFixture({ match: { predicate: () => true }, response: { content: 'Done.' } });
    const inputs: JsonSchema[] = [
      true,
      {},
      { type: 'object' },
      { type: 'object', additionalProperties: { type: 'integer' } },
      { properties: { a: { type: 'string' } } },
    ];
    const tools = inputs.map((input_schema, index) => ({ name: `tool_${index}`, description: 'Does.', input_schema }));
    await complete(vendor, { tools });
    const body = server.requests.at(-1)?.body ?? {};
    expect(vendor.rules(body)).toEqual([]);
    const told = (Array.isArray(body.tools) ? body.tools : []).flatMap(
      (tool: Json) => (at(tool, 'functionDeclarations') as Json[] | undefined) ?? [tool],
    );
    const sent = told.map(
      (tool) =>
        at(tool, 'function', 'parameters') ?? at(tool, 'parameters') ?? at(tool, 'input_schema') ?? at(tool, 'parametersJsonSchema'),
    );
    expect(sent).toHaveLength(inputs.length);
    for (const schema of sent) expect(schema).toMatchObject({ type: 'object' });
  });

  it('that refuses a schema for its own reasons is asked again with less of it', async () => {
    if (vendor.name === 'gemini') return;
    const refusal = "Invalid schema for response_format 'output': too many properties in output_config.format.schema";
    server.mock.addFixture({
      match: { sequenceIndex: 0 },
      response: { error: { message: refusal, type: 'invalid_request_error' }, status: 400 },
    });
    server.mock.addFixture({
      match: { predicate: () => true },
      response: () => ({ content: JSON.stringify(wrapped(server.requests.at(-1)?.body ?? {})) }),
    });
    const wrapped = (body: JsonObject): Json =>
      JSON.stringify(body).includes('"output"') || /\\"output\\"/.test(JSON.stringify(body)) ? { output: ['x'] } : ['x'];
    const { message } = await complete(vendor, { output_schema: { type: 'array', items: { type: 'string' } } });
    expect(message.content).toEqual([{ type: 'text', text: '["x"]' }]);
    expect(server.requests).toHaveLength(2);
    expect(vendor.rules(server.requests.at(-1)?.body ?? {})).toEqual([]);
  });
});
