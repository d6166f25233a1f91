import type { Counters } from '#shared/run/snapshot.ts';

/** The sum of what two parts of a run have used up. The cost is absent where neither counts it. */
export function sumCounters(one: Counters, more: Partial<Counters>): Counters {
  const cost = one.cost === undefined && more.cost === undefined ? {} : { cost: (one.cost ?? 0) + (more.cost ?? 0) };
  return {
    steps: one.steps + (more.steps ?? 0),
    seconds: one.seconds + (more.seconds ?? 0),
    model_calls: one.model_calls + (more.model_calls ?? 0),
    tokens: one.tokens + (more.tokens ?? 0),
    ...cost,
  };
}
