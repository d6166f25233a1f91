import { describe, expect, it } from 'vitest';
import type { Json } from '#shared/json.ts';
import { matchesPattern, offeredOperations } from './operation-tools.ts';
import { type ApiDescription, readApi } from './read-operations.ts';
import { snakeCase } from './snake-case.ts';

function api(paths: Json, more: object = {}): ApiDescription {
  const read = readApi({ openapi: '3.1.0', paths, ...more } as Json);
  if ('problem' in read) throw new Error(read.problem);
  return read;
}

const body = (schema: Json, type = 'application/json') => ({ requestBody: { content: { [type]: { schema } } } });

describe('operations of an OpenAPI document', () => {
  it.each([
    ['getHTTPResponse', 'get_http_response'],
    ['list-all.Items', 'list_all_items'],
    ['/budgets/{id}_get', 'budgets_id_get'],
    ['REST API', 'rest_api'],
    ['__x__', 'x'],
  ])('are named in snake_case as google-adk does: %s', (name, expected) => {
    expect(snakeCase(name)).toBe(expected);
  });

  it('take parameters of their path too, and number arguments of the same name', () => {
    const shared = [
      { name: 'id', in: 'path', schema: { type: 'string' } },
      { name: 'page', in: 'query', schema: { type: 'integer' } },
    ];
    const put = {
      parameters: [{ name: 'page', in: 'query', schema: { type: 'string' } }],
      ...body({ type: 'object', properties: { id: {} } }),
    };
    const [operation] = api({ '/x/{id}': { parameters: shared, put } }).operations;
    expect(operation).toMatchObject({ name: 'x_id_put', method: 'PUT' });
    expect(operation?.parameters.map(({ name, place, schema, required }) => [name, place, schema, required])).toEqual([
      ['page', 'query', { type: 'string' }, false],
      ['id', 'path', { type: 'string' }, true],
      ['id_0', 'body', {}, false],
    ]);
  });

  it('have one argument for a body that is not an object', () => {
    const [list] = api({ '/x': { post: body({ type: 'array', items: { type: 'integer' } }) } }).operations;
    expect(list).toMatchObject({ body: { whole: true }, parameters: [{ name: 'array', schema: { type: 'array' } }] });
    const [any] = api({ '/x': { post: body({ oneOf: [{ type: 'string' }] }) } }).operations;
    expect(any).toMatchObject({ body: { whole: true }, parameters: [{ name: 'body' }] });
  });

  it('have schemas without references, even where those lead back to themselves', () => {
    const tree = {
      type: 'object',
      properties: { next: { $ref: '#/components/schemas/Tree' }, type: { type: 'string', nullable: true, xml: {} } },
    };
    const post = body({ $ref: '#/components/schemas/Tree' });
    const [operation] = api({ '/x': { post } }, { components: { schemas: { Tree: tree } } }).operations;
    expect(operation?.parameters.map(({ name, schema }) => [name, schema])).toEqual([
      ['next', {}],
      ['type', { type: ['string', 'null'] }],
    ]);
  });

  it('of a document that grows without bound when its references are inserted stay small', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => {
        const next = { $ref: `#/components/schemas/S${index + 1}` };
        return [`S${index}`, { type: 'object', properties: { a: next, b: next } }];
      }),
    );
    const [operation] = api({ '/x': { post: body({ $ref: '#/components/schemas/S0' }) } }, { components: { schemas } }).operations;
    expect(JSON.stringify(operation).length).toBeLessThan(1_000_000);
  });

  it('go to the first server, with the defaults of its variables', () => {
    const servers = [
      { url: 'https://{region}.example.com/v1', variables: { region: { default: 'eu' } } },
      { url: 'https://other.example' },
    ];
    expect(api({}, { servers }).server).toBe('https://eu.example.com/v1');
  });

  it('are offered as the settings say', () => {
    const description = api({ '/x': { get: { operationId: 'getX' }, post: { operationId: 'makeX' } } });
    const names = (settings: object) => offeredOperations(description, { spec: 's', ...settings }).map(({ name }) => name);
    expect(names({})).toEqual(['get_x', 'make_x']);
    expect(names({ tool_filter: ['make_x'], name_prefix: 'my' })).toEqual(['my_make_x']);
  });

  it('are matched by patterns as Python’s fnmatch does', () => {
    const matched = (pattern: string) => ['get_a', 'get_b', 'list.x'].filter((name) => matchesPattern(name, pattern));
    expect(matched('get*')).toEqual(['get_a', 'get_b']);
    expect(matched('get_[!a]')).toEqual(['get_b']);
    expect(matched('get_?')).toEqual(['get_a', 'get_b']);
    expect(matched('list.x')).toEqual(['list.x']);
    expect(matched('listax')).toEqual([]);
  });
});
