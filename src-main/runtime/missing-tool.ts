import { parseToolReference } from '#shared/flow/tool-use.ts';

/** What to do about a tool that a node names and that is not to be had; empty where nothing helps but another flow. */
export function adviceOnMissingTool(name: string): string {
  const tool = parseToolReference(name);
  if (tool.type !== 'mcp') return '';
  return ` Nobody has approved it: look at the tools of the MCP server ${tool.server} and approve them, in the tool browser or with "pravah mcp approve ${tool.server}", then go on.`;
}
