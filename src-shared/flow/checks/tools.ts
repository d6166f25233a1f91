import type { BodyContext } from '#shared/flow/checks/bodies.ts';
import { whyNot } from '#shared/flow/checks/why-not.ts';
import { didYouMean } from '#shared/flow/did-you-mean.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { parseToolReference, submitTool, type ToolReference } from '#shared/flow/tool-use.ts';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

/** A tool that a node names, and where. */
export interface NamedTool {
  readonly name: string;
  readonly path: string;
  /** An agent's, which may be a wildcard. */
  readonly of_agent?: boolean;
}

/** The tools that a node names, in its body or its agent. */
export function toolsOf({ raw, path }: OutlineNode): NamedTool[] {
  const agent = isJsonObject(raw.agent) ? raw.agent.tools : undefined;
  return [
    ...named(raw.tool, `${path}/tool`),
    ...listed(raw.tools, `${path}/tools`),
    ...listed(agent, `${path}/agent/tools`).map((tool) => ({ ...tool, of_agent: true })),
  ];
}

function listed(list: Json | undefined, path: string): NamedTool[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).flatMap((use, index) =>
    isJsonObject(use) ? named(use.use, `${path}/${index}/use`) : named(use, `${path}/${index}`),
  );
}

function named(name: Json | undefined, path: string): NamedTool[] {
  return typeof name === 'string' ? [{ name, path }] : [];
}

/**
 * Rules about the tools that a node names, or about those of some kinds. Flows as tools are looked into by whoever examines flows.
 */
export function checkTools(
  node: OutlineNode,
  context: BodyContext,
  kinds: readonly ToolReference['type'][] = ['built_in', 'mcp', 'file'],
): void {
  for (const { name, path, of_agent } of toolsOf(node)) {
    const tool = parseToolReference(name);
    if (!kinds.includes(tool.type)) continue;
    if (tool.type === 'mcp' && tool.tool === '*' && !of_agent) {
      const message = `${JSON.stringify(name)} stands for several tools, which only an agent can choose from. Name the tool.`;
      context.report('unknown_tool', path, [node.id], message);
    } else checkTool(node, path, name, context);
  }
}

function checkTool({ id }: OutlineNode, path: string, name: string, { environment, report }: BodyContext): void {
  const tool = parseToolReference(name);
  if (tool.type === 'flow') return;
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
    const resolved = resolveWorkspacePath('', tool.path);
    if (resolved === null) {
      report('unknown_tool', path, [id], `${tool.path} lies outside the workspace. Name a file inside it, relative to the workspace.`);
      return;
    }
    const reading = environment.readFile(resolved);
    if (!reading.ok) {
      report('unknown_tool', path, [id], `The file ${tool.path} ${whyNot(reading.reason, resolved, reading.message)}`);
      return;
    }
  }
  if (!environment.trusted) {
    const what = tool.type === 'mcp' ? `the MCP server ${tool.server}` : name;
    report(
      'needs_trust',
      path,
      [id],
      `${id} uses ${what}, which runs ordinary code of this machine; only a trusted folder may do that. Trust the folder (--trust), or remove the tool.`,
    );
  }
}
