import type { Limits } from '#shared/flow/limits.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Counters } from '#shared/run/snapshot.ts';

/** Throws `LimitExceeded` when one more step would be more than the flow allows. */
export function assertWithinLimits(limits: Limits, counters: Counters): void {
  if (counters.steps >= limits.steps) throw exceeded('steps', limits.steps);
  if (counters.seconds >= limits.seconds) throw exceeded('seconds', limits.seconds);
}

/** Throws `LimitExceeded` when one more model call would be more than the flow allows. */
export function assertMayCallModel(limits: Limits, counters: Counters): void {
  if (counters.model_calls >= limits.model_calls) throw exceeded('model_calls', limits.model_calls);
  if (counters.tokens >= limits.tokens) throw exceeded('tokens', limits.tokens);
  if (limits.cost !== undefined && (counters.cost ?? 0) >= limits.cost) throw exceeded('cost', limits.cost);
}

function exceeded(limit: keyof Limits, value: number): FlowError {
  const words = { steps: 'steps', seconds: 'seconds of running', model_calls: 'model calls', tokens: 'tokens', cost: 'of cost' };
  return new FlowError(
    'LimitExceeded',
    `The run has used up its ${value.toLocaleString('en')} ${words[limit]}. Raise limits.${limit} in the flow, or look for a loop that does not end.`,
    {
      details: { limit, value },
    },
  );
}
