/**
 * The rules by which a run makes its records. A run keeps the rules that it began with, so that it continues, forks and replays alike.
 * 1: a flow that an agent calls as a tool runs within one step of the agent.
 * 2: such a flow runs in steps of its own, in a frame.
 * 3: ids of calls and seeds of random numbers follow from what made a node able to fire (`Step.ready`), not from the number of its record, so that
 * they are known before its turn.
 */
export type EngineVersion = 1 | 2 | 3;

/** The rules of new runs. */
export const currentEngine: EngineVersion = 3;
