import { type BodyContext, whyNot } from '#shared/flow/checks/bodies.ts';
import { didYouMean } from '#shared/flow/did-you-mean.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { parseToolReference, submitTool } from '#shared/flow/tool-use.ts';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

/** Rules about the tools that a node names, in its body or its agent. */
export function checkTools(node: OutlineNode, context: BodyContext): void {
  const { raw, path } = node;
  if (typeof raw.tool === 'string') checkTool(node, `${path}/tool`, raw.tool, context);
  checkList(node, `${path}/tools`, raw.tools, context);
  if (isJsonObject(raw.agent)) checkList(node, `${path}/agent/tools`, raw.agent.tools, context);
}

function checkList(node: OutlineNode, path: string, list: Json | undefined, context: BodyContext): void {
  if (!Array.isArray(list)) return;
  for (const [index, use] of (list as readonly Json[]).entries()) {
    if (typeof use === 'string') checkTool(node, `${path}/${index}`, use, context);
    else if (isJsonObject(use) && typeof use.use === 'string') checkTool(node, `${path}/${index}/use`, use.use, context);
  }
}

function checkTool({ id }: OutlineNode, path: string, name: string, { environment, report }: BodyContext): void {
  const tool = parseToolReference(name);
  if (tool.type === 'built_in') {
    if (name === submitTool) report('unknown_tool', path, [id], '"submit" ends an agent and is added by the engine; it cannot be named.');
    else if (!environment.tools.has(name)) {
      const known = [...environment.tools].sort();
      const hint = didYouMean(name, known) || ` There are ${known.join(', ')}; and mcp:SERVER/TOOL, flow:PATH, ./tools/NAME.ts.`;
      report('unknown_tool', path, [id], `There is no tool ${JSON.stringify(name)}.${hint}`);
    }
    return;
  }
  if (tool.type === 'mcp') {
    if (!environment.mcpServers.has(tool.server)) {
      report(
        'unknown_tool',
        path,
        [id],
        `pravah.json names no MCP server ${JSON.stringify(tool.server)}. Add it under "mcp_servers".${didYouMean(tool.server, environment.mcpServers)}`,
      );
      return;
    }
  } else {
    const code = tool.type === 'flow' ? 'flow_not_found' : 'unknown_tool';
    const resolved = resolveWorkspacePath('', tool.path);
    if (resolved === null) {
      report(code, path, [id], `${tool.path} lies outside the workspace. Name a file inside it, relative to the workspace.`);
      return;
    }
    const reading = environment.readFile(resolved);
    if (!reading.ok) {
      report(code, path, [id], `The file ${tool.path} ${whyNot(reading.reason, resolved, reading.message)}`);
      return;
    }
  }
  if (tool.type !== 'flow' && !environment.trusted) {
    const what = tool.type === 'mcp' ? `the MCP server ${tool.server}` : name;
    report(
      'needs_trust',
      path,
      [id],
      `${id} uses ${what}, which runs ordinary code of this machine; only a trusted folder may do that. Trust the folder (--trust), or remove the tool.`,
    );
  }
}
