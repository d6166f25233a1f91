import type { EvaluateBody, NodeShape, PerformNode } from '#main/engine/step/node-plan.ts';
import type { StatePlan } from '#main/engine/step/state-plan.ts';
import { performBody } from './with-body.ts';

/** One state becomes another; without a body, the same value. */
export function workPerformer({ outputs }: NodeShape, evaluate: EvaluateBody | null): PerformNode {
  const output = outputs[0] as StatePlan;
  return performBody(evaluate ?? ((step) => step.input), (step, result) => [step.output(output, result)]);
}
