import type { Context } from '#main/engine/ports/context.ts';
import type { DescribedTool } from '#main/engine/step/flow-tool.ts';
import type { ToolUse } from '#shared/flow/document.ts';
import { parseToolReference, toolUse } from '#shared/flow/tool-use.ts';

/** What a node may call, and what its author says about asking. */
export type AllowedTools = ReadonlyMap<string, 'always' | 'never' | undefined>;

/** Who makes a call, as far as asking depends on it. */
export interface CallPolicy {
  readonly allowed: AllowedTools;
  /**
   * Where the arguments come from. `literal`: the author wrote them out, so a tool that would ask about an agent's call does not ask.
   * `templated`: the author's, filled in from the input. `code`: a handler's, which its author wrote. `computed`: an agent's.
   */
  readonly source: 'literal' | 'templated' | 'code' | 'computed';
  /** The caller has read content from outside: tools that write need approval. */
  readonly tainted: boolean;
  /** Code uses the result at once, before the step has finished: a handler's own call. */
  readonly codeFollows: boolean;
}

export function allowedTools(uses: readonly ToolUse[]): AllowedTools {
  return new Map(uses.map(toolUse).map(({ name, approve }) => [name, approve]));
}

/** Whether the workspace has a person asked about a tool's calls, by its name or by all of its MCP server's (`mcp:SERVER/*`). */
export function workspaceAsks(approve: Context['approve'], name: string): boolean {
  const tool = parseToolReference(name);
  return (
    approve[name] === 'always' ||
    (tool.type === 'mcp' && approve[`mcp:${tool.server}/*`] === 'always') ||
    (tool.type === 'openapi' && approve[`openapi:${tool.api}/*`] === 'always')
  );
}

/**
 * Whether a person is asked before this call, which the tool has admitted. The stricter of author, workspace and tool wins; an author's
 * `never` lifts only the tool's own default, and only in a trusted folder or in a program, whose own `never` counts, too.
 */
export function mustAsk(tool: DescribedTool, policy: CallPolicy, ctx: Context, admitted: 'always' | 'never' | 'pinned'): boolean {
  const author = policy.allowed.get(tool.name);
  if (admitted === 'always' || author === 'always' || workspaceAsks(ctx.approve, tool.name)) return true;
  if (policy.tainted && tool.effect === 'write') return true;
  if (lifted(tool.name, author, ctx)) return false;
  if (policy.source === 'literal' || (policy.source !== 'computed' && admitted === 'pinned')) return false;
  return tool.approve === 'always';
}

function lifted(tool: string, author: 'always' | 'never' | undefined, { trusted, from_program = false, approve }: Context): boolean {
  if (author === 'never') return trusted || from_program;
  return from_program && approve[tool] === 'never';
}
