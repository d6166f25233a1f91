import type { FinishedDraft } from '#main/engine/step/draft.ts';
import type { EvaluateBody, PerformNode } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { NamedState } from '#shared/flow/graph.ts';

/** Gives a body's result the form of its kind of node, or throws `SerializeError`. */
export type ShapeResult = (step: Step, result: unknown) => NamedState[];

/** A node that runs its body and gives the result its form. No promise is made for a body that makes none. */
export function performBody(evaluate: EvaluateBody, shape: ShapeResult): PerformNode {
  const finish = (step: Step, result: unknown): FinishedDraft => ({ type: 'finished', produced: shape(step, result) });
  return (step) => {
    const result = evaluate(step);
    return result instanceof Promise ? result.then((value: unknown) => finish(step, value)) : finish(step, result);
  };
}
