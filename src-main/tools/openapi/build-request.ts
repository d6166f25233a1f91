import type { HttpCall } from '#main/tools/http/guarded-request.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { type ApiOperation, type ApiParameter, isJsonType } from '#shared/openapi/read-operations.ts';
import { ToolError } from '#shared/run/error.ts';

/** A request that calls an operation. */
export type ApiRequest = Pick<HttpCall, 'method' | 'url' | 'headers' | 'body'>;

/** Headers that the connection sets, and the one for the token, which no caller may choose. */
const ownHeaders =
  /^(host|connection|content-length|content-type|transfer-encoding|upgrade|expect|te|trailer|keep-alive|authorization|cookie|proxy-.*)$/i;

/** The request for a call with these arguments. Throws ToolError `Deserialize` for arguments that cannot be sent. */
export function buildRequest(operation: ApiOperation, server: URL, input: JsonObject): ApiRequest {
  const given = (place: ApiParameter['place']) =>
    operation.parameters.flatMap((parameter) => {
      const value = Object.hasOwn(input, parameter.name) ? input[parameter.name] : undefined;
      return parameter.place === place && value !== undefined && value !== null ? [[parameter.original, value] as const] : [];
    });
  const url = new URL(server);
  url.pathname = url.pathname.replace(/\/$/, '') + filledPath(operation, new Map(given('path')));
  for (const [name, value] of given('query')) {
    for (const one of Array.isArray(value) ? (value as readonly Json[]) : [value]) url.searchParams.append(name, textOf(one));
  }
  const cookies = given('cookie').map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`);
  const body = bodyOf(operation, input, given('body'));
  return {
    method: operation.method,
    url,
    headers: {
      ...Object.fromEntries(given('header').map(([name, value]) => [name, headerText(name, value)])),
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      ...(body && { 'content-type': body.type }),
    },
    ...(body && { body: body.text }),
  };
}

function filledPath({ path }: ApiOperation, values: ReadonlyMap<string, Json>): string {
  return path.replace(/\{([^{}]+)\}/g, (_all, name: string) => {
    const value = values.get(name);
    const text = value === undefined ? '' : textOf(value);
    // A dot segment would lead to another operation.
    if (text === '' || text === '.' || text === '..')
      throw invalid(name, text === '' ? 'is missing' : `must not be ${JSON.stringify(text)}`);
    return encodeURIComponent(text);
  });
}

function bodyOf(
  { body }: ApiOperation,
  input: JsonObject,
  fields: readonly (readonly [string, Json])[],
): { type: string; text: string } | null {
  if (!body || fields.length === 0) return null;
  const value: Json = body.whole ? (fields[0]?.[1] as Json) : Object.fromEntries(fields);
  const { type } = body;
  if (isJsonType(type)) return { type, text: JSON.stringify(value) };
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    return { type, text: new URLSearchParams(fields.map(([name, one]): [string, string] => [name, textOf(one)])).toString() };
  }
  if (/^(text\/|application\/octet-stream|application\/xml)/i.test(type)) return { type, text: textOf(value) };
  throw invalid(Object.keys(input)[0] ?? 'body', `cannot be sent: bodies of type ${type} are not supported`);
}

function headerText(name: string, value: Json): string {
  const text = textOf(value);
  if (ownHeaders.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(text)) throw invalid(name, 'cannot be set');
  return text;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function invalid(field: string, why: string): ToolError {
  return new ToolError('Deserialize', `Invalid arguments: ${field} ${why}.`, { details: { field } });
}
