import type { Context } from '#main/runtime/context.ts';
import { findTool } from '#main/runtime/find-tool.ts';
import { workspaceAsks } from '#main/runtime/tool-policy.ts';
import { bringsUntrusted } from '#main/runtime/untrusted-tools.ts';
import type { Tool } from '#main/tools/tool.ts';
import { toolNames } from '#main/tools/tool-names.ts';
import { FlowError, ToolError } from '#shared/runtime/error.ts';

/** A tool of a request's agent, with whether its calls ask first. */
export interface AgentTool {
  readonly use: string;
  readonly approve: 'always' | 'never';
}

/**
 * The tools of a request's agent, each once: those that it names, all of the context where its list is empty, none where it has no list. Built-in tools
 * that write ask unless the context says `never`; others as they say themselves. Throws `ToolError` `UnknownTool`.
 */
export async function agentTools(requested: readonly string[] | undefined, context: Context): Promise<AgentTool[]> {
  const names = requested?.length === 0 ? [...context.tools.keys()] : (requested ?? []).flatMap((name) => namesOf(name, context));
  return Promise.all([...new Set(names)].map(async (use) => ({ use, approve: await approvalOf(toolOf(use, context), context) })));
}

/** The names under which the context lists what a request names. */
function namesOf(name: string, { tools, tool_aliases }: Context): string[] {
  if (name.endsWith('/*')) {
    const covered = [...tools.keys()].filter((known) => known.startsWith(name.slice(0, -1)));
    return covered.length > 0 ? covered : [name];
  }
  return [tools.has(name) ? name : (tool_aliases?.get(name) ?? name)];
}

function toolOf(name: string, context: Context): Tool {
  const tool = findTool(context, name);
  if (tool) return tool;
  const known = [...context.tools.keys()].join(', ') || 'no tools';
  const option = toolNames.has(name) ? `builtin: ['${name}']` : 'tools';
  throw new ToolError(
    'UnknownTool',
    `The request names the tool ${name}, which the context does not have. It has ${known}. Register it: createContext({ ${option} }).`,
    { tool_id: name },
  );
}

async function approvalOf(tool: Tool, context: Context): Promise<'always' | 'never'> {
  if (workspaceAsks(context.approve, tool.name)) return 'always';
  if (context.approve[tool.name] === 'never') return 'never';
  return tool.effect === 'write' && (await isBuiltIn(tool)) ? 'always' : tool.approve;
}

async function isBuiltIn(tool: Tool): Promise<boolean> {
  if (!toolNames.has(tool.name)) return false;
  const { builtInTools } = await import('#main/tools/catalogue.ts');
  return builtInTools().get(tool.name) === tool;
}

/** Refuses a request of which a tool may ask although no one answers: `FlowError` with code `CONFIG_NO_ANSWERER`. */
export function assertAnswered(uses: readonly AgentTool[], context: Context, trustContent: boolean): void {
  const outside = trustContent ? undefined : uses.find(({ use }) => bringsUntrusted(use))?.use;
  for (const { use, approve } of uses) {
    const why = reasonToAsk(toolOf(use, context), approve, context, outside);
    if (!why) continue;
    const [reason, wayOut] = why;
    throw new FlowError(
      'Invalid',
      `The tool ${use} ${reason}, and callAgent has no onSuspend that answers. Pass onSuspend, or ${wayOut}.`,
      {
        code: 'CONFIG_NO_ANSWERER',
        tool_id: use,
        details: { tool: use },
      },
    );
  }
}

/** Why a call of a tool may ask, and what lets it run without; undefined where it asks never. */
function reasonToAsk(
  tool: Tool,
  approve: 'always' | 'never',
  { writable }: Context,
  outside: string | undefined,
): readonly [reason: string, wayOut: string] | undefined {
  const { name, effect, asks = false } = tool;
  if (asks) return ['asks the user', 'leave the tool out of the request'];
  if (approve === 'always')
    return ['asks before each call', `let it run unasked: createContext({ approve: { ${quoted(name)}: 'never' } })`];
  if (effect !== 'write') return undefined;
  if (writable.length > 0 && tool.preview) return ['asks before it writes a protected file', 'leave out the option writable'];
  if (outside === undefined) return undefined;
  return [
    `asks once ${outside} has brought content from outside`,
    'say that it may be trusted: callAgent(request, { trust_content: true, … })',
  ];
}

function quoted(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`;
}
