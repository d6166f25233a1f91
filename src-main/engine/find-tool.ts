import type { Context } from '#main/engine/ports/context.ts';
import type { Tool } from '#main/engine/ports/tool.ts';

/** A tool of a context by its name, or by another name under which it is known but not listed. */
export function findTool({ tools, tool_aliases }: Context, name: string): Tool | undefined {
  const listed = tools.get(name);
  if (listed) return listed;
  const tool = tools.get(tool_aliases?.get(name) ?? '');
  return tool && { ...tool, name };
}
