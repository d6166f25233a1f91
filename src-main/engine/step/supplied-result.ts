import type { SuppliedCall } from '#main/engine/ports/supply.ts';
import type { Json } from '#shared/json.ts';
import { fromTransferable } from '#shared/run/error.ts';
import { cancelled } from './cancelled.ts';
import type { Step } from './step.ts';
import { wait } from './wait.ts';

/** Waits as long as a mock says, and returns its result. Throws its error, and `Cancelled` when the run is cancelled meanwhile. */
export async function suppliedResult({ ctx, node }: Step, { outcome, delay_ms = 0 }: SuppliedCall): Promise<Json> {
  if (delay_ms > 0) {
    await wait(delay_ms, ctx.signal).catch(() => {
      throw cancelled(node);
    });
  }
  if ('error' in outcome) throw fromTransferable(outcome.error);
  return outcome.result;
}
