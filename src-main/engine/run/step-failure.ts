import type { Context } from '#main/engine/ports/context.ts';
import { UnknownOutcome } from '#main/engine/ports/recorder.ts';
import { maskedFailure } from '#main/engine/secrets/guard.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import { notifyListener } from '#main/engine/step/notify-listener.ts';
import type { JsonObject } from '#shared/json.ts';
import { FlowError, fromTransferable, ToolError } from '#shared/run/error.ts';
import { errorEvent } from '#shared/run/error-event.ts';
import type { RunState } from './run-state.ts';

/** The failure of a step, whatever was thrown: ours with the node filled in, everything else as `HandlerError`. */
export function failureOf(error: unknown, node: string, signal: AbortSignal | undefined): FlowError | ToolError {
  if (signal?.aborted && !(error instanceof FlowError && error.variant !== 'HandlerError')) return cancelled(node);
  if (error instanceof FlowError || error instanceof ToolError) return error.toJSON().node === null ? error.with({ node }) : error;
  if (error instanceof UnknownOutcome) return new FlowError('Conflict', `${error.message}.`, { node });
  const message = error instanceof Error ? error.message : String(error);
  const stack: JsonObject = error instanceof Error && error.stack ? { stack: error.stack } : {};
  return new FlowError('HandlerError', message, { node, details: stack });
}

/** A failure with known secrets masked, after its event has been emitted. */
export function reported(run: RunState, ctx: Context, cause: FlowError | ToolError): FlowError | ToolError {
  const error = ctx.secrets.size > 0 ? fromTransferable(maskedFailure(ctx, cause.toJSON())) : cause;
  if (ctx.onEvent) {
    const transferable = error.toJSON();
    const place = { run_id: run.run_id, seq: run.seq + 1, timestamp: ctx.clock.now() };
    notifyListener(ctx, { ...place, ...errorEvent(transferable) });
  }
  return error;
}
