import { exitCodes } from '#main/hosts/cli/options/exit-codes.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { serveMcp } from '#main/hosts/mcp/serve-mcp.ts';

export interface McpServeOptions {
  readonly folder: readonly string[];
  readonly flow: readonly string[];
}

/** `pravah mcp-serve`: offers flows as tools to an MCP client, which starts this command. */
export async function mcpServe({ folder, flow }: McpServeOptions): Promise<number> {
  await serveMcp(folder.length > 0 ? folder : [await chooseWorkspace(undefined)], flow);
  return exitCodes.success;
}
