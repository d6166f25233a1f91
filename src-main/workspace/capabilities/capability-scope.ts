import { openApiOf } from '#main/workspace/open-apis.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import type { CapabilityScope } from '#shared/flow/tools/call-reach.ts';
import { readHost } from './read-host.ts';

/** Where a flow is, for its capabilities. */
export interface CapabilityPlace {
  /** Real path of the workspace, in which the documents of its APIs are. */
  readonly folder?: string;
  /** Locations outside the folder that its repository refers to. */
  readonly gitPlaces?: readonly string[];
}

/** Returns the settings that determine a flow's capabilities. In an untrusted folder, settings that loosen the rules are ignored. */
export function capabilityScope(settings: WorkspaceSettings, trusted: boolean, place: CapabilityPlace = {}): CapabilityScope {
  const { commands, writable, http, providers, mcp_servers, endpoints } = settings;
  const openApi = apisOf(settings, place);
  if (!trusted) return { commands: [], writable: [], http: { allow_private: [] }, providers: {}, mcp_servers: {}, readHost, openApi };
  return { commands, writable, http, providers, mcp_servers, endpoints, git_places: place.gitPlaces ?? [], readHost, openApi };
}

function apisOf({ openapi_tools }: WorkspaceSettings, { folder }: CapabilityPlace): NonNullable<CapabilityScope['openApi']> {
  return (name) => {
    const api = folder === undefined ? null : openApiOf(folder, openapi_tools, name);
    return api && !('problem' in api) ? { host: api.server.host, secret: api.settings.auth?.token_env ?? null } : null;
  };
}
