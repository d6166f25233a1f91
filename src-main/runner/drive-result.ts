import type { RunRow } from '#main/journal/rows.ts';
import type { RunStatus } from '#shared/contract/runs.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { cutMessage, withCutMessage } from '#shared/run/cut-message.ts';
import { FlowError, type TransferableError } from '#shared/run/error.ts';
import type { EndStatus, EventBodyOf } from '#shared/run/event.ts';
import type { RunOutcome } from '#shared/run/snapshot.ts';
import type { Stop } from '#shared/run/stop.ts';

/** Result of an executor call. */
export interface DriveResult {
  readonly status: EndStatus;
  readonly output?: Json;
  readonly error?: TransferableError;
  /** The remaining state map. */
  readonly states: readonly NamedState[];
  /** Duration of the call in milliseconds. */
  readonly duration_ms: number;
  /** Tokens of the whole run. */
  readonly tokens: number;
  /** Where and why the run is stopped; null after its end. */
  readonly stop: Stop | null;
}

/** The event that ends every call's events. */
export function endStream(stop: DriveResult): EventBodyOf<'end_stream'> {
  const { status, output, error, states, duration_ms, tokens, stop: place } = stop;
  return {
    type: 'end_stream',
    status,
    ...(output !== undefined && { output }),
    ...(error && { error }),
    states: [...states],
    ...(place && { stop: place }),
    total_duration_ms: duration_ms,
    tokens_used: tokens,
  };
}

export function statusAfter(outcome: RunOutcome): EndStatus {
  if (outcome.type === 'done') return 'success';
  return outcome.type === 'suspend' ? 'suspended' : 'paused';
}

/** Returns the status of a run without an executor: suspended or paused if its executor died. */
export function restingStatus(row: RunRow): RunStatus {
  if (row.status !== 'running') return row.status;
  return row.suspensions === '[]' ? 'paused' : 'suspended';
}

export function cancelled(runId: string): FlowError {
  return new FlowError('Cancelled', `Run ${runId} was cancelled. Start a new run to try again.`, { details: { run_id: runId } });
}

/** Returns why driving ended. If the run was cancelled, that is the reason, with the model's partial response. */
export function causeOf(signal: AbortSignal, error: unknown): unknown {
  const { reason } = signal;
  if (!signal.aborted) return error;
  if (!(reason instanceof FlowError && error instanceof FlowError)) return reason;
  const failure = error.toJSON();
  const said = cutMessage(failure);
  if (!said) return reason;
  return new FlowError(reason.variant, reason.message, {
    ...reason.options,
    node: failure.node,
    details: withCutMessage(reason.options.details ?? {}, said),
  });
}

const refusals = new Set<string>([
  'ResumeRequired',
  'UnexpectedResumption',
  'ResumeMismatchError',
  'Conflict',
  'SnapStoreError',
  'SnapLoadError',
]);

/** Whether a call was refused without effect, as opposed to a failed step. `moved`: a record was written during the call. */
export function isRefusal(error: unknown, moved: boolean): boolean {
  if (!(error instanceof FlowError)) return false;
  return refusals.has(error.variant) || (error.variant === 'DeserializeError' && !moved);
}
