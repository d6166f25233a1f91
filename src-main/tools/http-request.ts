import { isJsonObject, type Json } from '#shared/json.ts';
import { ToolError } from '#shared/runtime/error.ts';
import { guardedRequest, type HttpAnswer, HttpFailure } from './http/guarded-request.ts';
import { hostRules } from './http/host-rules.ts';
import { inputSchema } from './input-schema.ts';
import type { Tool } from './tool.ts';

/** What belongs to the connection and not to the author. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*)$/i;

export const httpRequestTool: Tool = {
  name: 'http_request',
  description:
    'Makes an HTTP request and returns status, headers and body (JSON as such, else text). Private addresses are refused unless the workspace lists them.',
  input_schema: inputSchema(
    {
      url: { type: 'string' },
      method: { enum: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'], description: 'Default: GET' },
      headers: { type: ['object', 'string'], additionalProperties: { type: 'string' }, description: 'An object, or JSON text of one' },
      body: { description: 'Text as it is; anything else is sent as JSON' },
      timeout: { type: 'number', minimum: 1, maximum: 300, description: 'Seconds; default 30' },
      allow_private: { type: 'boolean', description: 'Whether a private address that the workspace lists may be reached' },
    },
    ['url'],
  ),
  output_schema: {
    type: 'object',
    properties: { status: { type: 'integer' }, headers: { type: 'object' }, body: {}, error: { type: 'string' } },
    required: ['status'],
  },
  effect: 'write',
  approve: 'never',
  call: async (input, ctx): Promise<Json> => {
    try {
      const url = parseUrl(input.url as string);
      const body = bodyOf(input.body);
      const answer = await guardedRequest({
        method: (input.method as string | undefined) ?? 'GET',
        url,
        headers: { ...(body?.json && { 'content-type': 'application/json' }), ...headersOf(input.headers) },
        body: body?.text,
        timeoutMs: ((input.timeout as number | undefined) ?? 30) * 1000,
        signal: ctx.signal,
        rules: hostRules(ctx, input.allow_private === true),
      });
      return { status: answer.status, headers: { ...answer.headers }, body: bodyValue(answer) };
    } catch (error) {
      if (error instanceof HttpFailure) return { status: 0, error: error.message };
      throw error;
    }
  },
};

/** The address. Throws `HttpFailure` for text that is none. */
export function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new HttpFailure(`${JSON.stringify(text)} is no address`);
  return new URL(text);
}

function headersOf(given: Json | undefined): Record<string, string> {
  const headers = typeof given === 'string' ? parseHeaders(given) : (given ?? {});
  if (!isJsonObject(headers)) throw badHeaders('they are no object');
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (typeof value !== 'string') throw badHeaders(`${name} is no text`);
      if (ownHeaders.test(name)) throw badHeaders(`${name} cannot be set`);
      return [name, value];
    }),
  );
}

function parseHeaders(text: string): Json {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw badHeaders('they are no JSON');
  }
}

function badHeaders(reason: string): ToolError {
  return new ToolError('Deserialize', `headers cannot be sent: ${reason}`, { details: { field: 'headers' } });
}

/** PyFlow's bodies are JSON text, so text that is JSON is announced as JSON. */
function bodyOf(given: Json | undefined): { text: string; json: boolean } | undefined {
  if (given === undefined || given === '') return undefined;
  if (typeof given !== 'string') return { text: JSON.stringify(given), json: true };
  return { text: given, json: isJson(given) };
}

function bodyValue({ headers, body }: HttpAnswer): Json {
  return /[/+]json\b/i.test(headers['content-type'] ?? '') && isJson(body) ? (JSON.parse(body) as Json) : body;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
