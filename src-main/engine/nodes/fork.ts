import type { EvaluateBody, NodeShape, PerformNode } from '#main/engine/step/node-plan.ts';
import { performBody } from './with-body.ts';

/** One state becomes several at once, in the order of `to`; without a body, each branch gets the value. */
export function forkPerformer({ outputs }: NodeShape, evaluate: EvaluateBody | null): PerformNode {
  if (!evaluate) {
    return performBody(
      (step) => step.input,
      (step, value) => outputs.map((output) => step.output(output, value)),
    );
  }
  return performBody(evaluate, (step, result) => {
    if (!Array.isArray(result) || result.length !== outputs.length) {
      const got = Array.isArray(result) ? `${result.length}` : 'something else';
      throw step.invalidShape('fork', `must return a list of ${outputs.length} values, one a branch, and returns ${got}`);
    }
    return outputs.map((output, index) => step.output(output, result[index]));
  });
}
