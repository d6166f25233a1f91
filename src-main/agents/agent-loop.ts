import type { LoadAgentLoop } from '#main/engine/step/run-context.ts';

/** The agent loop, for `RunContext.agentLoop`. Loaded on first use. */
export const agentLoop: LoadAgentLoop = async () => (await import('./agent-node.ts')).agentPerformer;
