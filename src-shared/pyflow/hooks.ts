/** The callbacks of an agent that run. */
export const agentHooks = ['before_agent', 'after_agent'] as const;

export type AgentHook = (typeof agentHooks)[number];
