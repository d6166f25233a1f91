import type { Tool, ToolContext } from '#main/engine/ports/tool.ts';
import { mayGoTo } from '#main/engine/secrets/hosts.ts';
import { rememberBodyText } from '#main/tools/http/body-text.ts';
import { guardedRequest, type HttpAnswer, HttpFailure } from '#main/tools/http/guarded-request.ts';
import { hostRules } from '#main/tools/http/host-rules.ts';
import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';
import type { OpenApiSettings } from '#shared/openapi/openapi-settings.ts';
import { type OfferedOperation, readsOnly } from '#shared/openapi/operation-tools.ts';
import { ToolError } from '#shared/run/error.ts';
import { type ApiRequest, buildRequest } from './build-request.ts';
import { secretNames } from './secret-names.ts';

const timeoutMs = 30_000;
/** Most characters of an error's body that the caller sees. */
const mostOfError = 2000;

/** Where an operation's requests go, and how they are authorised. */
export interface OpenApiPlace {
  readonly api: string;
  readonly server: URL;
  readonly settings: OpenApiSettings;
}

/** An operation of an API as a tool. Calls that write need approval. */
export function openApiTool(offered: OfferedOperation, place: OpenApiPlace, isUsable: (schema: JsonSchema) => boolean): Tool {
  const { name, operation } = offered;
  const reads = readsOnly(operation);
  const properties = operation.parameters.map(({ name: key, schema }) => [key, isUsable(schema) ? schema : {}] as const);
  const required = operation.parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return {
    name: `openapi:${place.api}/${name}`,
    description: operation.description,
    input_schema: { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false },
    effect: reads ? 'read' : 'write',
    approve: reads ? 'never' : 'always',
    untrusted: true,
    call: async (input, ctx): Promise<Json> => {
      try {
        const request = withAuth(buildRequest(operation, place.server, input), place, ctx);
        const { secret, ...sent } = request;
        const rules = hostRules(ctx, true);
        return resultOf(name, await guardedRequest({ ...sent, timeoutMs, signal: ctx.signal, rules, stays: secret }));
      } catch (error) {
        if (error instanceof HttpFailure) throw new ToolError('Io', `${name} failed: ${error.message}.`);
        throw error;
      }
    },
  };
}

/** Puts the token into the request, if it may be sent there. */
function withAuth(request: ApiRequest, { server, settings }: OpenApiPlace, ctx: ToolContext): ApiRequest & { readonly secret: boolean } {
  const { auth } = settings;
  if (!auth?.token_env || (auth.type !== 'bearer' && auth.type !== 'apikey')) return { ...request, secret: false };
  const token = tokenFor(auth.token_env, server, ctx);
  if (auth.type === 'bearer') return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` }, secret: true };
  if (auth.apikey_location === 'header') return { ...request, headers: { ...request.headers, [auth.apikey_name]: token }, secret: true };
  const url = new URL(request.url);
  url.searchParams.set(auth.apikey_name, token);
  return { ...request, url, secret: true };
}

/** The token. One without hosts of its own is for the API's server alone: the settings of a trusted folder name both. */
function tokenFor(variable: string, server: URL, { secrets, secret_hosts, trusted }: ToolContext): string {
  const name = secretNames(variable).find((known) => secrets.has(known));
  if (name === undefined || !trusted) {
    const reason = trusted
      ? 'it is not known here. Set it as a secret or in .env'
      : 'this folder is not trusted. Trust it, or call the API without a token';
    throw denied(variable, reason);
  }
  const hosts = secret_hosts?.get(name) ?? [server.host];
  if (!mayGoTo(hosts, server)) throw denied(name, `it was not entered for ${server.origin}, only for ${hosts.join(', ')}`);
  return secrets.get(name) as string;
}

function denied(name: string, reason: string): ToolError {
  return new ToolError('Denied', `The secret ${name} is not sent: ${reason}.`, { details: { secret: name } });
}

/** The body, parsed if it is JSON. Throws `ToolError` for a status that is not a success. */
function resultOf(name: string, { status, headers, body }: HttpAnswer): Json {
  if (status < 200 || status >= 300) {
    const details: JsonObject = { status };
    throw new ToolError('Other', `${name} failed with status ${status}: ${body.slice(0, mostOfError) || 'no details'}`, { details });
  }
  if (body === '') return { status };
  try {
    const value = JSON.parse(body) as Json;
    if (typeof value === 'object' && value !== null) rememberBodyText(value, body);
    return value;
  } catch {
    return /json/i.test(headers['content-type'] ?? '') ? { error: 'invalid JSON', text: body } : { text: body };
  }
}
