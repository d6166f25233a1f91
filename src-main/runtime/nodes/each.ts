import type { PerformNode } from '#main/runtime/plan.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** A list's items run through an inner flow one after the other. */
export function eachPerformer(): PerformNode {
  return (step) => {
    throw new FlowError('BuildError', `${step.node} is an each node, which this version does not run yet.`, { node: step.node });
  };
}
