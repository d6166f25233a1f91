import { AbandonedEffect, type EffectOutcome } from '#main/engine/ports/recorder.ts';
import type { Json } from '#shared/json.ts';
import { toTransferable } from '#shared/run/error.ts';

/** Performs an effect without recording it, for runs that are not recorded. */
export async function performUnrecorded(perform: () => Promise<Json>): Promise<EffectOutcome> {
  try {
    return { result: await perform() };
  } catch (error) {
    if (error instanceof AbandonedEffect) throw error;
    return { error: toTransferable(error) };
  }
}
