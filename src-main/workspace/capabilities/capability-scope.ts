import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import type { CapabilityScope } from '#shared/flow/capabilities/tool-capabilities.ts';

/**
 * What of a folder's settings decides how far its flows reach. In a folder without trust, none of what loosens the rules counts.
 * `gitPlaces` are the places outside of the folder that its repository leads to.
 */
export function capabilityScope(settings: WorkspaceSettings, trusted: boolean, gitPlaces: readonly string[] = []): CapabilityScope {
  const { commands, writable, http, providers, mcp_servers, endpoints } = settings;
  if (!trusted) return { commands: [], writable: [], http: { allow_private: [] }, providers: {}, mcp_servers: {}, readHost };
  return { commands, writable, http, providers, mcp_servers, endpoints, git_places: gitPlaces, readHost };
}

function readHost(address: string): string | null {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  // The dot of the root makes no other host.
  return url.host.replace(/\.(?=:|$)/, '');
}
