import type { Tool } from '#main/engine/ports/tool.ts';
import { type BuiltInToolName, builtInToolFacts } from '#shared/flow/tools/built-in-tools.ts';

/** The part of a built-in tool that its file implements; its row in `built-in-tools.ts` gives the rest. */
type Implementation = Omit<Tool, 'name' | 'effect' | 'approve' | 'asks'>;

/** Creates a built-in tool from its row of facts and its implementation. */
export function builtInTool(name: BuiltInToolName, implementation: Implementation): Tool {
  const { effect, approve, asks } = builtInToolFacts[name];
  return { name, effect, approve, asks, ...implementation };
}
