import type { OpenAPI } from '@orpc/contract';
import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { z } from 'zod';
import { version } from '#main/version.ts';
import { serverContract } from '#shared/contract/server/index.ts';
import { problemSchema } from '#shared/contract/server/problem.ts';

/** Statuses that every route may answer with a problem. */
const problemStatuses = { '400': 'The query is not valid', '401': 'There is no valid token', '403': 'The token lacks a scope' };
const bodyStatuses = { '413': 'The body is too large', '415': 'The body is not JSON', '422': 'The body is not valid' };
const manyStatuses = { '429': 'Too many requests', '500': 'The server failed', '503': 'The server is not available' };
const pathStatuses = { '404': 'There is no such thing', '409': 'It is in a state that does not allow this' };

/** Describes the API as OpenAPI 3.1. */
export async function openApiDocument(): Promise<OpenAPI.Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(serverContract, {
    info: {
      title: 'Pravah',
      version,
      description: 'Runs of flows: start them, step them, answer them and watch them.',
      license: { name: 'MIT' },
    },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A token of “pravah token create”.' } } },
  });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Problem: z.toJSONSchema(problemSchema) as OpenAPI.SchemaObject },
  };
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of ['get', 'post', 'delete'] as const) {
      const operation = item?.[method];
      if (operation) complete(path, method, operation);
    }
  }
  return document;
}

/** Adds what the generator cannot know of a route: its problems, headers and streams. */
function complete(path: string, method: 'get' | 'post' | 'delete', operation: OpenAPI.OperationObject): void {
  const statuses = {
    ...problemStatuses,
    ...(path.includes('{') || method === 'post' ? pathStatuses : {}),
    ...(method === 'post' ? bodyStatuses : {}),
    ...manyStatuses,
  };
  const responses: OpenAPI.ResponsesObject = { ...operation.responses };
  operation.responses = responses;
  for (const [status, description] of Object.entries(statuses)) responses[status] = problemResponse(description);
  operation.parameters ??= [];
  // An empty value is no number, and no status.
  for (const parameter of operation.parameters) if ('allowEmptyValue' in parameter) delete parameter.allowEmptyValue;
  if (method === 'post')
    operation.parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The request is performed once, however often it is sent with this key within 24 hours.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7E]+$' },
    });
  if (/^\/v1\/flows\/\{.*name\}(\/activate)?$/.test(path) && method !== 'get') {
    operation.parameters.push({
      name: 'If-Match',
      in: 'header',
      required: false,
      description: 'The ETag of the flow as you know it. If it has changed, the request is refused.',
      schema: { type: 'string' },
    });
    responses['412'] = problemResponse('The flow has changed');
  }
  if (method === 'get') {
    const found = responses['200'];
    if (found && 'content' in found) found.headers = { ETag: { description: 'Changes with the answer.', schema: { type: 'string' } } };
    responses['304'] = { description: 'It is still what If-None-Match says.' };
    responses['406'] = { description: 'Only JSON is available here' };
  }
  if (path === '/v1/runs/{run_id}/events') {
    const ok = responses['200'];
    if (ok && 'content' in ok && ok.content)
      ok.content['text/event-stream'] = {
        schema: { type: 'string', description: 'Server-sent events: recorded ones, then live. Continues after Last-Event-ID.' },
      };
  }
}

function problemResponse(description: string): OpenAPI.ResponseObject {
  return { description, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };
}

/** The methods of each path of a document; a request's path is looked up with its parameters. */
export function methodsByPath(document: OpenAPI.Document): (path: string) => readonly string[] {
  const routes = Object.entries(document.paths ?? {}).map(([path, item]) => ({
    pattern: new RegExp(`^${path.replace(/\{\+?[^}]+\}/g, (name) => (name === '{name}' ? '.+' : '[^/]+'))}$`),
    methods: ['get', 'post', 'delete'].filter((method) => item && method in item).map((method) => method.toUpperCase()),
  }));
  return (path) => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))];
}
