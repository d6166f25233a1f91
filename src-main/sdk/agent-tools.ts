import type { Context } from '#main/engine/ports/context.ts';
import { findTool } from '#main/engine/ports/find-tool.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import type { RunContext } from '#main/engine/step/run-context.ts';
import { toolTaints } from '#main/engine/tool-calls/taint.ts';
import { workspaceAsks } from '#main/engine/tool-calls/tool-policy.ts';
import { toolNames } from '#shared/flow/tools/built-in-tools.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';

/** A tool of a request's agent and whether its calls need approval. */
export interface AgentTool {
  readonly use: string;
  readonly approve: 'always' | 'never';
}

/**
 * Returns the distinct tools of a request's agent: those that it names, all of the context if its list is empty, none without a list. Built-in
 * tools that write need approval unless the context sets `never`; other tools decide themselves. Throws `ToolError` `UnknownTool`.
 */
export function agentTools(requested: readonly string[] | undefined, context: Context): AgentTool[] {
  const names = requested?.length === 0 ? [...context.tools.keys()] : (requested ?? []).flatMap((name) => namesOf(name, context));
  return [...new Set(names)].map((use) => ({ use, approve: approvalOf(toolOf(use, context), context) }));
}

/** The context's names for a tool in a request. */
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
    `Unknown tool ${name} in the request. Available tools: ${known}. Register it with createContext({ ${option} }).`,
    { tool_id: name },
  );
}

function approvalOf(tool: Tool, context: RunContext): 'always' | 'never' {
  if (workspaceAsks(context.approve, tool.name)) return 'always';
  if (context.approve[tool.name] === 'never') return 'never';
  return tool.effect === 'write' && context.builtIn?.has(tool) ? 'always' : tool.approve;
}

/** Throws `FlowError` with code `CONFIG_NO_ANSWERER` for a request whose tools may ask although there is no answerer. */
export function assertAnswered(uses: readonly AgentTool[], context: Context, trustContent: boolean): void {
  const outside = trustContent ? undefined : uses.find(({ use }) => toolTaints(use))?.use;
  for (const { use, approve } of uses) {
    const why = reasonToAsk(toolOf(use, context), approve, context, outside);
    if (!why) continue;
    const [reason, wayOut] = why;
    throw new FlowError('Invalid', `Tool ${use} ${reason}, but callAgent has no onSuspend to answer. Pass onSuspend, or ${wayOut}.`, {
      code: 'CONFIG_NO_ANSWERER',
      tool_id: use,
      details: { tool: use },
    });
  }
}

/** Why a tool call may ask and how to avoid it; undefined if it never asks. */
function reasonToAsk(
  tool: Tool,
  approve: 'always' | 'never',
  { writable }: Context,
  outside: string | undefined,
): readonly [reason: string, wayOut: string] | undefined {
  const { name, effect, asks = false } = tool;
  if (asks) return ['asks the user', 'remove the tool from the request'];
  if (approve === 'always')
    return ['needs approval for each call', `allow it to run without: createContext({ approve: { ${quoted(name)}: 'never' } })`];
  if (effect !== 'write') return undefined;
  if (writable.length > 0 && tool.preview) return ['needs approval to write protected files', 'remove the option writable'];
  if (outside === undefined) return undefined;
  return [
    `needs approval once ${outside} has read external content`,
    'trust external content: callAgent(request, { trust_content: true, … })',
  ];
}

function quoted(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`;
}
