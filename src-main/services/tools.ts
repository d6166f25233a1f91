import type { Tool } from '#main/engine/ports/tool.ts';
import { workspaceAsks } from '#main/engine/tool-calls/tool-policy.ts';
import { openMcpTools } from '#main/mcp/mcp-tools.ts';
import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import { allOpenApiTools } from '#main/workspace/openapi-tools.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import { parseToolReference } from '#shared/flow/tool-use.ts';
import type { Json } from '#shared/json.ts';
import { studio } from './implementer.ts';

/** The tools that flows of the open folder can call: built-in ones, those of MCP servers that the user has approved, and the folder's own (`./tools/`). */
export function toolsRouter(current: CurrentFolder) {
  return {
    list: studio.tools.list.handler(async () => {
      const session = await current.required();
      const [settings, trusted] = await Promise.all([session.settings(), session.trusted()]);
      // Descriptions only: no server is started.
      const { tools } = await openMcpTools({ folder: session.folder, settings, trusted });
      const own = trusted ? await session.ownTools() : [];
      const described = [
        ...builtInTools().values(),
        ...tools,
        ...allOpenApiTools({ folder: session.folder, settings }),
        ...own.flatMap(({ tool }) => tool ?? []),
      ].map((tool) => infoOf(tool, settings));
      return [...described, ...own.flatMap(({ name, problem }) => (problem === undefined ? [] : brokenTool(name, problem)))];
    }),
  };
}

/** A file under `./tools/` that is not a tool, listed with the reason. */
function brokenTool(name: string, problem: string): ToolInfo {
  return { name, description: problem, input_schema: false, effect: 'write', asks: true, server: null, problem };
}

function infoOf({ name, description, input_schema, output_schema, effect, approve }: Tool, settings: WorkspaceSettings): ToolInfo {
  const reference = parseToolReference(name);
  return {
    name,
    description,
    input_schema: input_schema as Json,
    ...(output_schema !== undefined && { output_schema: output_schema as Json }),
    effect,
    asks: approve === 'always' || workspaceAsks(settings.approve, name),
    server: reference.type === 'mcp' ? reference.server : null,
  };
}
