import type { McpServerSettings } from '#main/workspace/settings.ts';
import type { McpServerInfo, McpToolInfo } from '#shared/contract/mcp.ts';
import { FlowError } from '#shared/run/error.ts';
import { approvalState, approvedTools, approveTools } from './approvals.ts';
import type { McpServers } from './servers.ts';
import { changesOf, fingerprint, type McpToolDefinition } from './tool-definition.ts';

/** A server of a folder. */
export interface NamedServer {
  readonly folder: string;
  readonly name: string;
  readonly settings: McpServerSettings;
}

/** A server's status, tools and approvals. `servers` null: it must not be started. Starts nothing. */
export async function overviewOf({ folder, name, settings }: NamedServer, servers: McpServers | null): Promise<McpServerInfo> {
  const approved = await approvedTools(folder, name, settings);
  const state = servers?.state(name);
  const offer = state?.state === 'connected' && servers ? await servers.offer(name).catch(() => null) : null;
  const gone = approved.filter((tool) => !offer?.tools.some((listed) => listed.name === tool.name));
  return {
    name,
    transport: 'url' in settings ? 'http' : 'stdio',
    target: 'url' in settings ? settings.url : [settings.command, ...settings.args].join(' '),
    state: state?.state ?? 'blocked',
    server: state?.server ? { ...state.server } : null,
    last_error: state?.last_error ?? null,
    last_words: state?.last_words ?? '',
    tools: offer
      ? [
          ...offer.tools.map((tool) => infoOf(tool, approvalState(tool, approved), approved)),
          ...gone.map((tool) => infoOf(tool, 'gone', approved)),
        ]
      : approved.map((tool) => infoOf(tool, 'approved', approved)),
    faults: [...(offer?.faults ?? [])],
  };
}

/** Approves tools as they were shown. Throws `FlowError` `Conflict` if a tool has changed since. */
export async function approveShown(
  { folder, name, settings }: NamedServer,
  servers: McpServers,
  shown: readonly { readonly name: string; readonly fingerprint: string }[],
): Promise<void> {
  const { tools } = shown.length === 0 ? { tools: [] } : await servers.offer(name);
  const chosen = shown.map((wanted) => {
    const tool = tools.find((listed) => listed.name === wanted.name && fingerprint(listed) === wanted.fingerprint);
    if (tool) return tool;
    throw new FlowError('Conflict', `Tool ${wanted.name} of MCP server ${name} has changed since it was shown. Review it again.`, {
      code: 'CONFIG_MCP_TOOL_CHANGED',
    });
  });
  await approveTools(folder, name, settings, chosen);
}

function infoOf(tool: McpToolDefinition, standing: McpToolInfo['standing'], approved: readonly McpToolDefinition[]): McpToolInfo {
  const { name, title, description, input_schema, annotations } = tool;
  const before = standing === 'changed' ? approved.find((other) => other.name === name) : undefined;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    input_schema,
    read_only: annotations.read_only === true,
    // By the protocol, a tool that is not marked as read-only counts as destructive.
    destructive: annotations.read_only !== true && annotations.destructive !== false,
    standing,
    fingerprint: fingerprint(tool),
    changes: before ? changesOf(before, tool) : [],
  };
}
