import { settleValue } from '#main/runtime/settle-value.ts';
import type { Step } from '#main/runtime/step.ts';
import type { Json } from '#shared/json.ts';
import { fromTransferable } from '#shared/runtime/error.ts';

/** Runs a handler that may do something outside as one effect of its step, so that it is never silently run twice. */
export async function handlerEffect(step: Step, name: string, work: () => unknown): Promise<Json> {
  const { node } = step;
  const effect = { key: 'handler', kind: 'handler', node, name, input: [...step.values] } as const;
  const outcome = await step.effect(effect, async () => {
    const result = await work();
    const impurity = settleValue(result);
    if (impurity) throw step.malformed('json', `returns what holds ${impurity.message}${impurity.path && ` (at ${impurity.path})`}`);
    return result as Json;
  });
  if ('error' in outcome) throw fromTransferable(outcome.error);
  return outcome.result;
}
