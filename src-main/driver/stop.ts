import type { RunRow } from '#main/journal/rows.ts';
import type { RunStatus } from '#shared/contract/runs.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { cutMessage, withCutMessage } from '#shared/runtime/cut-message.ts';
import { FlowError, type TransferableError } from '#shared/runtime/error.ts';
import type { EndStatus, EventBody } from '#shared/runtime/event.ts';
import type { RunOutcome } from '#shared/runtime/snapshot.ts';

/** How a call of the driver left the run. */
export interface Stop {
  readonly status: EndStatus;
  readonly output?: Json;
  readonly error?: TransferableError;
  /** The state map that is left. */
  readonly states: readonly NamedState[];
  /** Time that the call took, in milliseconds. */
  readonly duration_ms: number;
  /** Tokens of the whole run. */
  readonly tokens: number;
}

/** The event that ends every call's events. */
export function endStream(stop: Stop): EventBody {
  const { status, output, error, states, duration_ms, tokens } = stop;
  return {
    type: 'end_stream',
    status,
    ...(output !== undefined && { output }),
    ...(error && { error }),
    states: [...states],
    total_duration_ms: duration_ms,
    tokens_used: tokens,
  };
}

export function statusAfter(outcome: RunOutcome): EndStatus {
  if (outcome.type === 'done') return 'success';
  return outcome.type === 'suspend' ? 'suspended' : 'paused';
}

/** The status of a run that nobody drives: one whose driver died in the middle waits, or is paused. */
export function restingStatus(row: RunRow): RunStatus {
  if (row.status !== 'running') return row.status;
  return row.suspensions === '[]' ? 'paused' : 'suspended';
}

export function cancelled(runId: string): FlowError {
  return new FlowError('Cancelled', `The run ${runId} was cancelled. Start a new one to try again.`, { details: { run_id: runId } });
}

/** Why a spell of driving ended: once it is cancelled, that is why, with what the model had said by then. */
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

/** Whether a call was refused, so that nothing happened, as opposed to a step that failed. `moved`: a record was written meanwhile. */
export function isRefusal(error: unknown, moved: boolean): boolean {
  if (!(error instanceof FlowError)) return false;
  return refusals.has(error.variant) || (error.variant === 'DeserializeError' && !moved);
}
