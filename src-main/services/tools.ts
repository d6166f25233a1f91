import { openMcpTools } from '#main/mcp/mcp-tools.ts';
import { studio } from '#main/services/implementer.ts';
import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import type { Tool } from '#main/tools/tool.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import { parseToolReference } from '#shared/flow/tool-use.ts';
import type { Json } from '#shared/json.ts';

/** The tools that flows of the open folder can call: built-in ones, and those of MCP servers that the user has approved. */
export function toolsRouter(current: CurrentFolder) {
  return {
    list: studio.tools.list.handler(async () => {
      const session = await current.required();
      const [settings, trusted] = await Promise.all([session.settings(), session.trusted()]);
      // They are only described here: no server is started for that.
      const { tools } = await openMcpTools({ folder: session.folder, settings, trusted });
      return [...builtInTools().values(), ...tools].map((tool) => infoOf(tool, settings));
    }),
  };
}

function infoOf({ name, description, input_schema, output_schema, effect, approve }: Tool, settings: WorkspaceSettings): ToolInfo {
  const reference = parseToolReference(name);
  return {
    name,
    description,
    input_schema: input_schema as Json,
    ...(output_schema !== undefined && { output_schema: output_schema as Json }),
    effect,
    asks: approve === 'always' || settings.approve[name] === 'always',
    server: reference.type === 'mcp' ? reference.server : null,
  };
}
