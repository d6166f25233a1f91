import type { ToolContext } from '#main/engine/ports/tool.ts';
import { rememberBodyText } from '#main/tools/http/body-text.ts';
import { guardedRequest, type HttpAnswer, HttpFailure } from '#main/tools/http/guarded-request.ts';
import { hostRules } from '#main/tools/http/host-rules.ts';
import { secretsIn } from '#shared/flow/secret-placeholder.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

/** Headers that the connection sets, not the author. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*)$/i;

export const httpRequestTool = builtInTool('http_request', {
  description:
    'Makes an HTTP request and returns status, headers and body (parsed if JSON, otherwise text). Private addresses are blocked unless the workspace allows them.',
  input_schema: inputSchema(
    {
      url: { type: 'string', description: 'http or https' },
      method: { enum: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'], description: 'Default: GET' },
      headers: { type: ['object', 'string'], additionalProperties: { type: 'string' }, description: 'An object, or JSON text of one' },
      body: { description: 'Text is sent as is; any other value is sent as JSON' },
      timeout: { type: 'number', minimum: 1, maximum: 300, description: 'Seconds; default 30' },
      allow_private: { type: 'boolean', description: 'Allow a private address that the workspace lists' },
    },
    ['url'],
  ),
  output_schema: {
    type: 'object',
    properties: { status: { type: 'integer' }, headers: { type: 'object' }, body: {}, error: { type: 'string' } },
    required: ['status'],
  },
  call: async (input, ctx): Promise<Json> => {
    try {
      const url = revealedUrl(ctx, 'url', input.url as string);
      const body = bodyOf(input.body === undefined ? undefined : ctx.reveal('body', input.body, url));
      const headers = headersOf(input.headers === undefined ? undefined : ctx.reveal('headers', input.headers, url));
      const answer = await guardedRequest({
        method: (input.method as string | undefined) ?? 'GET',
        url,
        headers: { ...(body?.json && { 'content-type': 'application/json' }), ...headers },
        body: body?.text,
        stays: secretsIn(input).length > 0,
        timeoutMs: ((input.timeout as number | undefined) ?? 30) * 1000,
        signal: ctx.signal,
        rules: hostRules(ctx, input.allow_private === true),
      });
      const output = { status: answer.status, headers: { ...answer.headers }, body: bodyValue(answer) };
      if (output.body !== answer.body) rememberBodyText(output, answer.body);
      return output;
    } catch (error) {
      if (error instanceof HttpFailure) return { status: 0, error: error.message };
      throw error;
    }
  },
});

/** Parses an address. Throws `HttpFailure` if it is not a valid URL. */
export function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new HttpFailure(`${JSON.stringify(text)} is not a valid URL`);
  return new URL(text);
}

/**
 * Parses the address in a field with its secrets inserted; the address without secrets decides the origin. Throws `HttpFailure` for an
 * invalid URL, ToolError `Denied` if a secret would change the origin or may not be sent there.
 */
export function revealedUrl(ctx: ToolContext, field: string, text: string): URL {
  const written = parseUrl(text);
  const revealed = URL.parse(ctx.reveal(field, text, written) as string);
  if (revealed?.origin === written.origin) return revealed;
  throw new ToolError('Denied', `The secrets in ${field} would change the address to something other than ${written.origin}.`, {
    details: { field },
  });
}

function headersOf(given: Json | undefined): Record<string, string> {
  const headers = typeof given === 'string' ? parseHeaders(given) : (given ?? {});
  if (!isJsonObject(headers)) throw badHeaders('not an object');
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (typeof value !== 'string') throw badHeaders(`${name} is not a string`);
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
    throw badHeaders('not valid JSON');
  }
}

function badHeaders(reason: string): ToolError {
  return new ToolError('Deserialize', `Invalid headers: ${reason}.`, { details: { field: 'headers' } });
}

/** PyFlow's bodies are JSON text, so text that is valid JSON is sent with the JSON content type. */
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
