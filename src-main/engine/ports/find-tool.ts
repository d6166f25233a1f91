import type { Context } from './context.ts';
import type { Tool } from './tool.ts';

/** A tool of a context by its name, or by another name under which it is known but not listed. */
export function findTool({ tools, tool_aliases }: Context, name: string): Tool | undefined {
  const listed = tools.get(name);
  if (listed) return listed;
  const tool = tools.get(tool_aliases?.get(name) ?? '');
  return tool && { ...tool, name };
}
