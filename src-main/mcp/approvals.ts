import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fingerprint, type McpToolDefinition, mcpToolDefinitionSchema } from '#main/mcp/tool-definition.ts';
import { FolderRecords } from '#main/workspace/profile.ts';
import type { McpServerSettings } from '#main/workspace/settings.ts';
import { canonicalJson, type Json } from '#shared/json.ts';

const approvals = new FolderRecords('mcp', z.object({ settings_hash: z.string(), tools: z.array(mcpToolDefinitionSchema) }));

/**
 * The tools of a server that the user has approved in a folder, as they were then; none after the server's settings have changed. Kept in
 * the profile: what a folder brings along approves nothing.
 */
export async function approvedTools(folder: string, name: string, settings: McpServerSettings): Promise<readonly McpToolDefinition[]> {
  const record = await approvals.get(folder, name);
  return record?.settings_hash === hashOf(settings) ? record.tools : [];
}

/** Remembers that the user has approved exactly these tools of a server. None: the approval is withdrawn. */
export async function approveTools(
  folder: string,
  name: string,
  settings: McpServerSettings,
  tools: readonly McpToolDefinition[],
): Promise<void> {
  if (tools.length === 0) await approvals.remove(folder, name);
  else await approvals.set(folder, { settings_hash: hashOf(settings), tools: [...tools] }, name);
}

/** The approvals of all folders, those that have gone and those of servers whose settings have changed included. */
export async function allApprovals(): Promise<{ folder: string; server: string; tools: string[] }[]> {
  return (await approvals.list()).map(({ folder, item = '', value }) => ({
    folder,
    server: item,
    tools: value.tools.map(({ name }) => name),
  }));
}

/** Forgets what was approved of a server. */
export async function withdrawApproval(folder: string, server: string): Promise<void> {
  await approvals.remove(folder, server);
}

/** How what a server lists stands to what was approved of it. */
export type ToolStanding = 'approved' | 'changed' | 'new';

export function standingOf(tool: McpToolDefinition, approved: readonly McpToolDefinition[]): ToolStanding {
  const before = approved.find(({ name }) => name === tool.name);
  if (!before) return 'new';
  return fingerprint(before) === fingerprint(tool) ? 'approved' : 'changed';
}

function hashOf(settings: McpServerSettings): string {
  return createHash('sha256')
    .update(canonicalJson(settings as unknown as Json))
    .digest('hex');
}
