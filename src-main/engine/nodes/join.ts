import type { EvaluateBody, NodeShape, PerformNode } from '#main/engine/step/node-plan.ts';
import type { StatePlan } from '#main/engine/step/state-plan.ts';
import { isJsonObject } from '#shared/json.ts';
import { performBody } from './with-body.ts';

/** Two states become one; without a body, their shallow merge, in which the second wins. */
export function joinPerformer({ outputs }: NodeShape, evaluate: EvaluateBody | null): PerformNode {
  const output = outputs[0] as StatePlan;
  const merge: EvaluateBody = (step) => {
    const [first, second] = step.values;
    if (!isJsonObject(first) || !isJsonObject(second)) throw step.invalidShape('join', 'has no body, so it can only merge two objects');
    return { ...first, ...second };
  };
  return performBody(evaluate ?? merge, (step, result) => [step.output(output, result)]);
}
