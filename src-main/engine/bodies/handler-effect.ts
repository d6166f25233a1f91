import { AbandonedEffect, UnknownOutcome } from '#main/engine/ports/recorder.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import { StepSuspended } from '#main/engine/step/draft.ts';
import { recordedTime } from '#main/engine/step/recorded-time.ts';
import type { Step } from '#main/engine/step/step.ts';
import { unknownOutcome } from '#main/engine/step/unknown-outcome.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { fromTransferable } from '#shared/run/error.ts';
import type { HandlerState } from '#shared/run/snapshot.ts';
import { seedOf } from './seeded-random.ts';

/**
 * Runs a handler that may do something outside as one effect of its step, so that it is never silently run twice. Where a person has it done again, the results
 * that are on record of its `ctx.tools` calls are used, and only what has none is called.
 */
export async function handlerEffect(step: Step, name: string, work: () => unknown, input: Json = [...step.values]): Promise<Json> {
  const { node } = step;
  const supplied = suppliedResult(step);
  if (supplied !== undefined) return supplied;
  const effect = { key: 'handler', kind: 'handler', node, name, input, closing: true } as const;
  try {
    const outcome = await step.effect(effect, async () => {
      const result = await uninterrupted(step, name, work);
      const notJson = freezeJson(result);
      if (notJson) throw step.notJson(notJson);
      return result as Json;
    });
    if ('error' in outcome) throw fromTransferable(outcome.error);
    return outcome.result;
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) throw error;
    const suspension = unknownOutcome(step, error.effect, `${node}::handler`, `handler_${step.seq}`);
    throw new StepSuspended({ type: 'suspended', suspensions: [suspension], handler: await begun(step) });
  }
}

/** The result that the user supplied for a handler whose outcome was unknown. */
export function suppliedResult({ answer }: Step): Json | undefined {
  if (answer?.suspension.reason !== 'unknown_outcome' || !isJsonObject(answer.payload)) return undefined;
  return answer.payload.result;
}

/** The handler's result. One that was cut off by a cancellation may have done anything by then, so its outcome is unknown. */
async function uninterrupted(step: Step, name: string, work: () => unknown): Promise<unknown> {
  if (step.ctx.signal.aborted) throw cancelled(step.node);
  try {
    return await work();
  } catch (error) {
    throw step.ctx.signal.aborted ? new AbandonedEffect(name) : error;
  }
}

/** What the handler had been given when it began, by the record. */
async function begun(step: Step): Promise<HandlerState> {
  const { run, node, seq } = step;
  const { body } = step.plan.node;
  const known = run.control.handlers[node];
  const since = known?.since ?? seq;
  const callsTools = 'tools' in body && body.tools.length > 0;
  const now = known?.now ?? (callsTools ? await recordedTime(step, 'now') : step.now);
  return {
    now,
    seed: known?.seed ?? seedOf(step.contextRunId, run.engine < 3 ? `${since}` : step.ready),
    calls: known?.calls ?? [],
    since,
  };
}
