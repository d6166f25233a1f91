import type { Tool } from '#main/engine/ports/tool.ts';
import { readDotEnv } from '#main/workspace/secrets.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import { approvedTools } from './approvals.ts';
import { McpTool } from './mcp-tool.ts';
import { McpServers } from './servers.ts';
import type { SharedServers } from './shared-servers.ts';

export interface McpPlace {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly settings: WorkspaceSettings;
  /** An untrusted folder has no servers. */
  readonly trusted: boolean;
  /** Servers owned by another thread; without them, servers are started here on first use. */
  readonly shared?: SharedServers | undefined;
}

/** The tools of a workspace's MCP servers and their connections. */
export interface McpTools {
  readonly tools: readonly Tool[];
  /** Stops the servers that were started here. */
  close(): Promise<void>;
}

/** The approved tools of a workspace's servers. Each server starts at the first call of one of its tools. */
export async function openMcpTools({ folder, settings, trusted, shared }: McpPlace): Promise<McpTools> {
  if (!trusted) return { tools: [], close: async () => shared?.close() };
  const named = settings.mcp_servers;
  const servers = shared ?? new McpServers({ folder, servers: named, readSecrets: () => readDotEnv(folder) });
  const tools = await Promise.all(
    Object.entries(named).map(async ([server, serverSettings]) => {
      const place = { folder, server, settings: serverSettings, servers };
      return (await approvedTools(folder, server, serverSettings)).map((definition) => new McpTool(definition, place));
    }),
  );
  return { tools: tools.flat(), close: async () => servers.close() };
}
