import { secretNames } from '#main/tools/openapi/secret-names.ts';
import { secretsIn } from '#shared/flow/secret-placeholder.ts';
import type { WorkspaceSettings } from './settings.ts';

/** A folder's effective settings in a context. */

/** The addresses that replace a tool's own service. */
export function definedOnly(addresses: WorkspaceSettings['endpoints']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(addresses).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** An untrusted folder may set stricter rules than the defaults, never looser ones. */
export function onlyStricter(approve: WorkspaceSettings['approve']): WorkspaceSettings['approve'] {
  return Object.fromEntries(Object.entries(approve).filter(([, policy]) => policy === 'always'));
}

/** The folder decides where secrets of its own `.env` may be sent, but not those that the user stored elsewhere. */
export function hostsInSettings({ secrets }: WorkspaceSettings, dotEnv: Readonly<Record<string, string>>) {
  return Object.entries(secrets).flatMap(([name, { hosts }]) => (dotEnv[name] ? [[name, hosts] as const] : []));
}

/** Returns the variables that `pravah.json` declares as keys of model services or passes to MCP servers. */
export function keysInSettings({ providers, mcp_servers, openapi_tools }: WorkspaceSettings): string[] {
  const ofServers = Object.values(mcp_servers).flatMap((server) => secretsIn('url' in server ? server.headers : server.env));
  return [
    ...Object.values(providers).flatMap(({ key }) => (key === undefined ? [] : [key])),
    ...ofServers,
    ...tokensInSettings({ openapi_tools }),
  ];
}

/** Returns the names under which the tokens of the folder's APIs may be known. */
export function tokensInSettings({ openapi_tools }: Pick<WorkspaceSettings, 'openapi_tools'>): string[] {
  return Object.values(openapi_tools).flatMap(({ auth }) => (auth?.token_env ? secretNames(auth.token_env) : []));
}
