/** What a step of an agent does: a model call, its tool calls, a summary of its conversation, or a check of what goes in or out. */
export const agentPhases = ['reason', 'act', 'compact', 'guard'] as const;
export type AgentPhase = (typeof agentPhases)[number];
