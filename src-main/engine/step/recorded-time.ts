import { UnknownOutcome } from '#main/engine/ports/recorder.ts';
import type { Json } from '#shared/json.ts';
import { fromTransferable } from '#shared/run/error.ts';
import type { Step } from './step.ts';

/**
 * The time that code of this step sees, in milliseconds, on record before the code does anything outside: run again after a crash, it
 * makes the very same calls, and they are found. `key` is its own within the step.
 */
export async function recordedTime(step: Step, key: string): Promise<number> {
  return (await recordedValue(step, key, 'ctx.now', () => step.now)) as number;
}

/** A value of the world around the run, such as the time, on record under `key`. `read` must have no side effect: it may run twice. */
export async function recordedValue(step: Step, key: string, name: string, read: () => Json): Promise<Json> {
  for (let attempt = 1; ; attempt += 1) {
    const effect = { key: `${key} ${attempt}`, kind: 'handler', node: step.node, name, input: null } as const;
    try {
      const outcome = await step.effect(effect, async () => read());
      if ('result' in outcome) return outcome.result;
      throw fromTransferable(outcome.error);
    } catch (error) {
      // Ended before the time was on record, so before anything was done: another one will do.
      if (!(error instanceof UnknownOutcome)) throw error;
    }
  }
}
