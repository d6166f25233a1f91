import type { Context } from '#main/runtime/context.ts';
import type { Tool } from '#main/tools/tool.ts';
import type { ToolUse } from '#shared/flow/document.ts';
import { toolUse } from '#shared/flow/tool-use.ts';

/** What a node may call, and what its author says about asking. */
export type AllowedTools = ReadonlyMap<string, 'always' | 'never' | undefined>;

/** Who makes a call, as far as asking depends on it. */
export interface CallPolicy {
  readonly allowed: AllowedTools;
  /** The author wrote the arguments out, so a tool that would ask an agent does not ask. */
  readonly literal: boolean;
  /** Untrusted content has come near: whatever changes something asks. */
  readonly wary: boolean;
}

export function allowedTools(uses: readonly ToolUse[]): AllowedTools {
  return new Map(uses.map(toolUse).map(({ name, approve }) => [name, approve]));
}

/**
 * Whether a person is asked before this call. The stricter of author, workspace and tool wins; an author's `never` lifts only the
 * tool's own default, and only in a trusted folder.
 */
export function mustAsk(tool: Tool, policy: CallPolicy, ctx: Context): boolean {
  const author = policy.allowed.get(tool.name);
  if (author === 'always' || ctx.approve[tool.name] === 'always') return true;
  if (policy.wary && tool.effect === 'write') return true;
  if (author === 'never' && ctx.trusted) return false;
  return tool.approve === 'always' && !policy.literal;
}
