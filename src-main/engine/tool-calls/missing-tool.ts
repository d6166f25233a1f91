import type { Context } from '#main/engine/ports/context.ts';
import { parseToolReference } from '#shared/flow/tool-use.ts';

/** What to do about a tool that a node uses and that is not available; empty if only another flow helps. */
export function adviceOnMissingTool({ from_program }: Context, name: string): string {
  const tool = parseToolReference(name);
  if (from_program && tool.type === 'built_in')
    return ' Register it with createContext: a tool of your own under tools, a built-in one under builtin.';
  if (tool.type === 'openapi') return ` Check the API ${tool.api} in "openapi_tools" of pravah.json or pyflow.yaml with "pravah validate".`;
  if (tool.type !== 'mcp') return '';
  return ` It is not approved yet. Review the tools of the MCP server ${tool.server} and approve them, in the tool browser or with "pravah mcp approve ${tool.server}", then continue.`;
}
