import type { EvaluateBody, NodeShape, PerformNode } from '#main/runtime/node-plan.ts';
import { performBody } from '#main/runtime/nodes/with-body.ts';
import type { StatePlan } from '#main/runtime/state-plan.ts';

/** One state becomes another; without a body, the same value. */
export function workPerformer({ outputs }: NodeShape, evaluate: EvaluateBody | null): PerformNode {
  const output = outputs[0] as StatePlan;
  return performBody(evaluate ?? ((step) => step.input), (step, result) => [step.output(output, result)]);
}
