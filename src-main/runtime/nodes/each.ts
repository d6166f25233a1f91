import { listOf } from '#main/runtime/each-results.ts';
import type { NodeShape, PerformNode } from '#main/runtime/node-plan.ts';
import type { StatePlan } from '#main/runtime/state-plan.ts';

/** Gives the list of what its items came to. Their own transitions come before: the node itself fires once all are through. */
export function eachPerformer({ outputs }: NodeShape): PerformNode {
  const output = outputs[0] as StatePlan;
  return (step) => ({ type: 'finished', produced: [step.output(output, listOf(step.run.control.frames[step.node]?.results ?? []))] });
}
