import { StepSuspended } from '#main/runtime/draft.ts';
import { UnknownOutcome } from '#main/runtime/recorder.ts';
import { settleValue } from '#main/runtime/settle-value.ts';
import type { Step } from '#main/runtime/step.ts';
import { unknownOutcome } from '#main/runtime/unknown-outcome.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { fromTransferable } from '#shared/runtime/error.ts';

/** Runs a handler that may do something outside as one effect of its step, so that it is never silently run twice. */
export async function handlerEffect(step: Step, name: string, work: () => unknown): Promise<Json> {
  const { node, answer } = step;
  if (answer?.suspension.reason === 'unknown_outcome' && isJsonObject(answer.payload) && answer.payload.result !== undefined) {
    return answer.payload.result;
  }
  const effect = { key: 'handler', kind: 'handler', node, name, input: [...step.values], closing: true } as const;
  try {
    const outcome = await step.effect(effect, async () => {
      const result = await work();
      const impurity = settleValue(result);
      if (impurity) throw step.impure(impurity);
      return result as Json;
    });
    if ('error' in outcome) throw fromTransferable(outcome.error);
    return outcome.result;
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) throw error;
    const suspension = unknownOutcome(step, error.effect, `${node}::handler`, `handler_${step.seq}`);
    throw new StepSuspended({ type: 'suspended', suspensions: [suspension] });
  }
}
