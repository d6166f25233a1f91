import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { FlowError, TransferableError } from '#shared/run/error.ts';
import type { RunOutcome } from '#shared/run/snapshot.ts';
import { quietContext } from './flows.ts';

/** Makes transitions until the run ends, waits or fails. */
export async function goOn(runtime: FlowRuntime, ctx: Context = quietContext()): Promise<RunOutcome> {
  for (;;) {
    const outcome = await runtime.next(ctx);
    if (outcome.type !== 'continue') return outcome;
  }
}

/** The output of a whole run. */
export async function outputOf(graph: FlowGraph, input: Json, ctx?: Context): Promise<Json> {
  const outcome = await goOn(FlowRuntime.new(graph, input), ctx);
  if (outcome.type !== 'done') throw new Error(`The run did not end: ${JSON.stringify(outcome)}`);
  return outcome.output;
}

/** The failure of a promise, in its transferable shape. */
export async function failureFrom(promise: Promise<unknown>): Promise<TransferableError> {
  try {
    await promise;
  } catch (error) {
    return (error as FlowError).toJSON();
  }
  throw new Error('Nothing failed.');
}
