import { secretsIn } from '#shared/flow/capabilities/tool-capabilities.ts';
import type { WorkspaceSettings } from './settings.ts';

/** What a folder's settings come to in a context. */

/** The addresses that are named in the place of a tool's own service. */
export function definedOnly(addresses: WorkspaceSettings['endpoints']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(addresses).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** A folder that is not trusted may ask for more caution than the defaults, never for less. */
export function onlyStricter(approve: WorkspaceSettings['approve']): WorkspaceSettings['approve'] {
  return Object.fromEntries(Object.entries(approve).filter(([, policy]) => policy === 'always'));
}

/** The folder says where the secrets of its own `.env` may go, and nothing of those that the user entered elsewhere. */
export function hostsInSettings({ secrets }: WorkspaceSettings, dotEnv: Readonly<Record<string, string>>) {
  return Object.entries(secrets).flatMap(([name, { hosts }]) => (dotEnv[name] ? [[name, hosts] as const] : []));
}

/** Variables that `pravah.json` says hold keys of model services, or that it hands to MCP servers. */
export function keysInSettings({ providers, mcp_servers }: WorkspaceSettings): string[] {
  const ofServers = Object.values(mcp_servers).flatMap((server) => secretsIn('url' in server ? server.headers : server.env));
  return [...Object.values(providers).flatMap(({ key }) => (key === undefined ? [] : [key])), ...ofServers];
}
