/** The callbacks of an agent, by the moments at which they run. */
export const agentHooks = ['before_agent', 'after_agent', 'before_model', 'after_model', 'before_tool', 'after_tool'] as const;

export type AgentHook = (typeof agentHooks)[number];
