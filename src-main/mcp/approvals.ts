import { createHash } from 'node:crypto';
import { z } from 'zod';
import { FolderRecords } from '#main/platform/profile.ts';
import type { McpServerSettings } from '#main/workspace/settings.ts';
import { canonicalJson, toJson } from '#shared/json.ts';
import { fingerprint, type McpToolDefinition, mcpToolDefinitionSchema } from './tool-definition.ts';

const approvals = new FolderRecords('mcp', z.object({ settings_hash: z.string(), tools: z.array(mcpToolDefinitionSchema) }));

/**
 * Returns the tools of a server that the user approved in a folder, as they were then; none after the server's settings have changed. Stored
 * in the profile, so that a folder cannot include approvals.
 */
export async function approvedTools(folder: string, name: string, settings: McpServerSettings): Promise<readonly McpToolDefinition[]> {
  const record = await approvals.get(folder, name);
  return record?.settings_hash === hashOf(settings) ? record.tools : [];
}

/** Stores that the user approved exactly these tools of a server. An empty list revokes the approval. */
export async function approveTools(
  folder: string,
  name: string,
  settings: McpServerSettings,
  tools: readonly McpToolDefinition[],
): Promise<void> {
  if (tools.length === 0) await approvals.remove(folder, name);
  else await approvals.set(folder, { settings_hash: hashOf(settings), tools: [...tools] }, name);
}

/** Lists the approvals of all folders, including removed folders and servers whose settings have changed. */
export async function allApprovals(): Promise<{ folder: string; server: string; tools: string[] }[]> {
  return (await approvals.list()).map(({ folder, item = '', value }) => ({
    folder,
    server: item,
    tools: value.tools.map(({ name }) => name),
  }));
}

/** Removes the approval of a server. */
export async function revokeApproval(folder: string, server: string): Promise<void> {
  await approvals.remove(folder, server);
}

/** Compares a listed tool with the approved ones. */
export type ToolApprovalState = 'approved' | 'changed' | 'new';

export function approvalState(tool: McpToolDefinition, approved: readonly McpToolDefinition[]): ToolApprovalState {
  const before = approved.find(({ name }) => name === tool.name);
  if (!before) return 'new';
  return fingerprint(before) === fingerprint(tool) ? 'approved' : 'changed';
}

function hashOf(settings: McpServerSettings): string {
  return createHash('sha256')
    .update(canonicalJson(toJson(settings)))
    .digest('hex');
}
