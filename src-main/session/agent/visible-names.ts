import type { AgentSettings } from '#shared/flow/document.ts';
import type { AgentSession } from '#shared/flow/session.ts';
import { parseToolReference, toolUse } from '#shared/flow/tool-use.ts';

/** A tool by the name that the model uses: PyFlow's agents know tools of a project, operations and other agents by their bare names. */
export function visibleName(name: string, agents: NonNullable<AgentSession['agents']> = {}): string {
  if (name === 'ask_user') return 'get_user_choice';
  const tool = parseToolReference(name);
  // A dotted name is called by its last part, as the function is.
  if (tool.type === 'python') return tool.name.slice(tool.name.lastIndexOf('.') + 1);
  if (tool.type === 'openapi') return tool.operation;
  return Object.hasOwn(agents, name) ? (agents[name]?.name ?? name) : name;
}

/** The tools of an agent that lie outside this program, by the names that the model uses. */
export function foreignTools({ tools = [] }: AgentSettings): ReadonlyMap<string, string> {
  const names = tools.map((use) => toolUse(use).name);
  return new Map(names.filter((name) => /^(py|openapi):/.test(name)).map((name) => [visibleName(name), name]));
}
