import type { LoadAgentLoop, LoadSessionBodies } from '#main/engine/step/run-context.ts';

/** The bodies of imported workflows, for `RunContext.sessionBodies`. Loaded on first use. */
export const sessionBodies: LoadSessionBodies = async () => (await import('#main/session/bodies/session-body.ts')).evaluateSessionBody;

/** The agents of imported workflows, for `RunContext.sessionAgents`. Loaded on first use. */
export const sessionAgents: LoadAgentLoop = async () => (await import('#main/session/agent/session-agent.ts')).sessionAgentPerformer;
