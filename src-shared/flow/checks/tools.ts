import { didYouMean } from '#shared/flow/did-you-mean.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { parseToolReference, submitTool, type ToolReference } from '#shared/flow/tool-use.ts';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import type { BodyContext } from './bodies.ts';
import { capitalized, nodeLabel } from './node-label.ts';
import { stepAgents } from './plan.ts';
import { whyNot } from './why-not.ts';

/** A tool that a node refers to, and the path of the reference. */
export interface NamedTool {
  readonly name: string;
  readonly path: string;
  /** Listed by an agent, so it may be a wildcard. */
  readonly of_agent?: boolean;
}

/** The tools that a node refers to in its body or its agent. */
export function toolsOf(node: OutlineNode): NamedTool[] {
  const { raw, path } = node;
  const agent = isJsonObject(raw.agent) ? raw.agent.tools : undefined;
  return [
    ...named(raw.tool, `${path}/tool`),
    ...(isJsonObject(raw.session) ? named(raw.session.tool, `${path}/session/tool`) : []),
    ...listed(raw.tools, `${path}/tools`),
    ...listed(agent, `${path}/agent/tools`).map((tool) => ({ ...tool, of_agent: true })),
    ...stepAgents(node).flatMap((step) => listed(step.agent.tools, `${step.path}/tools`).map((tool) => ({ ...tool, of_agent: true }))),
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

/** Checks the tools of some kinds that a node refers to. Flows used as tools are checked by `Examination`. */
export function checkTools(
  node: OutlineNode,
  context: BodyContext,
  kinds: readonly ToolReference['type'][] = ['built_in', 'mcp', 'file', 'python', 'openapi'],
): void {
  for (const { name, path, of_agent } of toolsOf(node)) {
    const tool = parseToolReference(name);
    if (!kinds.includes(tool.type)) continue;
    const several = (tool.type === 'mcp' && tool.tool === '*') || (tool.type === 'openapi' && tool.operation === '*');
    if (several && !of_agent) {
      const message = `${JSON.stringify(name)} matches several tools, which only an agent can choose from. Name one tool.`;
      context.report('unknown_tool', path, [node.id], message);
    } else checkTool(node, path, name, context);
  }
}

function checkTool(node: OutlineNode, path: string, name: string, { environment, report }: BodyContext): void {
  const { id } = node;
  const tool = parseToolReference(name);
  if (tool.type === 'flow') return;
  if (tool.type === 'built_in') {
    if (name === submitTool)
      report('unknown_tool', path, [id], 'The engine adds the tool "submit" to every agent, so it cannot be listed. Remove it.');
    else if (!environment.tools.has(name)) {
      const known = [...environment.tools].sort();
      const hint = didYouMean(name, known) || ` Available tools: ${known.join(', ')}, mcp:SERVER/TOOL, flow:PATH and ./tools/NAME.ts.`;
      report('unknown_tool', path, [id], `Unknown tool ${JSON.stringify(name)}.${hint}`);
    }
    return;
  }
  if (tool.type === 'openapi') {
    checkOperation(tool, (message) => report('unknown_tool', path, [id], message), environment);
    return;
  }
  if (tool.type === 'mcp') {
    if (!environment.mcpServers.has(tool.server)) {
      report(
        'unknown_tool',
        path,
        [id],
        `Unknown MCP server ${JSON.stringify(tool.server)}. Add it to "mcp_servers" in pravah.json.${didYouMean(tool.server, environment.mcpServers)}`,
      );
      return;
    }
  } else if (tool.type !== 'python') {
    const resolved = resolveWorkspacePath('', tool.path);
    if (resolved === null) {
      report('unknown_tool', path, [id], `${tool.path} is outside the workspace. Use a path inside it, relative to the workspace.`);
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
      `${capitalized(nodeLabel(node))} uses ${what}, which runs outside the sandbox. Only a trusted folder may do that. Trust the folder (--trust), or remove the tool.`,
    );
  }
}

function checkOperation(
  { api, operation }: Extract<ToolReference, { type: 'openapi' }>,
  refuse: (message: string) => void,
  { openApi, openApiNames = [] }: BodyContext['environment'],
): void {
  // Without the folder's settings, as for recorded flows, nothing is known of APIs.
  if (!openApi) return;
  const found = openApi(api);
  if (!found) refuse(`Unknown API ${JSON.stringify(api)}. Add it to "openapi_tools" in pravah.json.${didYouMean(api, openApiNames)}`);
  else if ('problem' in found) refuse(`The API ${api} cannot be used: ${found.problem}.`);
  else if (operation !== '*' && !found.operations.includes(operation)) {
    const hint =
      didYouMean(operation, found.operations) ||
      ` Its operations: ${found.operations.slice(0, 20).join(', ')}${found.operations.length > 20 ? ', …' : ''}.`;
    refuse(`The API ${api} has no operation ${JSON.stringify(operation)}.${hint}`);
  }
}
