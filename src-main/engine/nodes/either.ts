import type { EvaluateBody, NodeShape, PerformNode } from '#main/engine/step/node-plan.ts';
import type { StatePlan } from '#main/engine/step/state-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';
import { performBody } from './with-body.ts';

/** One state becomes one of two: `{left: value}` or `{right: value}`, or for an expression its truth, the value passing unchanged. */
export function eitherPerformer({ node, outputs }: NodeShape, evaluate: EvaluateBody | null): PerformNode {
  const [left, right] = outputs as [StatePlan, StatePlan];
  if (!evaluate) throw new FlowError('BuildError', `${node.id} has no body that decides. Build the flow again.`, { node: node.id });
  const byExpression = (step: Step, truth: unknown): NamedState[] => {
    if (typeof truth !== 'boolean') throw step.invalidShape('boolean', 'must decide by true or false, and its expression is neither');
    return [step.output(truth ? left : right, step.input)];
  };
  const byResult = (step: Step, result: unknown): NamedState[] => {
    const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
    const goesLeft = isObject && Object.hasOwn(result, 'left');
    if (!isObject || goesLeft === Object.hasOwn(result, 'right')) {
      throw step.invalidShape('either', 'must return {left: value} or {right: value}, and one of them only');
    }
    const sides = result as { readonly left?: unknown; readonly right?: unknown };
    return [goesLeft ? step.output(left, sides.left) : step.output(right, sides.right)];
  };
  return performBody(evaluate, node.body.type === 'expr' ? byExpression : byResult);
}
