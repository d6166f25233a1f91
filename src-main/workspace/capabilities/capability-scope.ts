import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import type { CapabilityScope } from '#shared/flow/tools/call-reach.ts';

/**
 * Returns the settings that determine a flow's capabilities. In an untrusted folder, settings that loosen the rules are ignored.
 * `gitPlaces` are locations outside the folder that its repository refers to.
 */
export function capabilityScope(settings: WorkspaceSettings, trusted: boolean, gitPlaces: readonly string[] = []): CapabilityScope {
  const { commands, writable, http, providers, mcp_servers, endpoints } = settings;
  if (!trusted) return { commands: [], writable: [], http: { allow_private: [] }, providers: {}, mcp_servers: {}, readHost };
  return { commands, writable, http, providers, mcp_servers, endpoints, git_places: gitPlaces, readHost };
}

function readHost(address: string): string | null {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  // A trailing root dot names the same host.
  return url.host.replace(/\.(?=:|$)/, '');
}
