import { parse } from 'yaml';
import { readWorkspaceFile } from '#main/workspace/read-workspace-file.ts';
import type { FileReading } from '#shared/flow/environment.ts';
import { memoizeByText } from '#shared/flow/memoize-by-text.ts';
import type { Json } from '#shared/json.ts';
import type { OpenApiSettings } from '#shared/openapi/openapi-settings.ts';
import { type OfferedOperation, offeredOperations } from '#shared/openapi/operation-tools.ts';
import { type ApiDescription, readApi } from '#shared/openapi/read-operations.ts';

/** Larger documents are refused, in characters. */
const largest = 8 * 1024 * 1024;

/** An API that a folder's settings name, or what is wrong with it. */
export type OpenApi = FoundApi | { readonly problem: string };

export interface FoundApi {
  readonly settings: OpenApiSettings;
  /** The address that its requests go to. */
  readonly server: URL;
  readonly operations: readonly OfferedOperation[];
}

/**
 * Reads an API's document. Everything that keeps it from being called is a problem, which follows "The API NAME cannot be used: ". `readFile` reads
 * a file of the workspace.
 */
export function openApi(settings: OpenApiSettings, readFile: (path: string) => FileReading): OpenApi {
  const { spec, server: chosen, auth } = settings;
  if (auth?.type === 'oauth2' || auth?.type === 'service_account')
    return { problem: `"${auth.type}" is not supported. Use "bearer" or "apikey" with a token` };
  const reading = readFile(spec.replace(/^\.\//, ''));
  if (!reading.ok) return { problem: `${spec} cannot be read: ${reading.message}` };
  const described = describe(reading.text);
  if ('problem' in described) return { problem: `${spec}: ${described.problem}` };
  const server = URL.parse(chosen ?? described.server);
  if (!server || (server.protocol !== 'http:' && server.protocol !== 'https:'))
    return { problem: `${spec} has no server with an http address. Set "server" beside "spec"` };
  return { settings, server, operations: offeredOperations(described, settings) };
}

/** An API of a folder; null if its settings name none with this name. */
export function openApiOf(folder: string, apis: Readonly<Record<string, OpenApiSettings>>, name: string): OpenApi | null {
  const settings = Object.hasOwn(apis, name) ? apis[name] : undefined;
  return settings ? openApi(settings, (path) => readWorkspaceFile(folder, path)) : null;
}

/** Documents are read for every check of a flow, and rarely change. */
const describe = memoizeByText((text: string): ApiDescription | { readonly problem: string } => {
  if (text.length > largest) return { problem: 'it is larger than 8 MiB' };
  try {
    return readApi(parse(text, { logLevel: 'silent' }) as Json);
  } catch (error) {
    return { problem: error instanceof Error ? (error.message.split('\n')[0] as string).replace(/[.:]$/, '') : String(error) };
  }
}, 8);
