import { listOf } from '#main/engine/step/each-results.ts';
import type { NodeShape, PerformNode } from '#main/engine/step/node-plan.ts';
import type { StatePlan } from '#main/engine/step/state-plan.ts';

/** Returns the list of its items' results. Their own transitions come first: the node itself fires once all items have finished. */
export function eachPerformer({ outputs }: NodeShape): PerformNode {
  const output = outputs[0] as StatePlan;
  return (step) => ({ type: 'finished', produced: [step.output(output, listOf(step.run.control.frames[step.node]?.results ?? []))] });
}
