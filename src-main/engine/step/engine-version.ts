/**
 * The rules by which a run makes its records. A run keeps the rules that it began with, so that it continues, forks and replays alike.
 * 1: a flow that an agent calls as a tool runs within one step of the agent.
 * 2: such a flow runs in steps of its own, in a frame.
 */
export type EngineVersion = 1 | 2;

/** The rules of new runs. */
export const currentEngine: EngineVersion = 2;
