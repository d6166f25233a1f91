import type { Step } from '#main/engine/step/step.ts';
import { sha256 } from '#main/engine/values/sha256.ts';
import { canonicalJson, type Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { PendingCall } from '#shared/run/snapshot.ts';
import type { SuppliedMark } from '#shared/run/supplied.ts';
import { inputToRun } from './edited-input.ts';

/** A call that has its result, whether good or bad. */
export type FinishedCall = PendingCall & { readonly result: NonNullable<PendingCall['result']> };

/** SHA-256 (hex) of a call's arguments, to distinguish calls in logs that do not contain them. */
export function argsHash(input: Json): string {
  return sha256(canonicalJson(input));
}

/** Emits the `tool_call` line of a call. */
export function announceCall(step: Step, { tool_call_id, tool, input }: PendingCall): void {
  if (!step.listening) return;
  step.emit({
    type: 'tool_call',
    node: step.node,
    span_id: tool_call_id,
    tool_call_id,
    tool_name: tool,
    arguments: input,
    args_hash: argsHash(input),
  });
}

/** Emits the `tool_call_edited` line of a call whose input a person changed before approving it. */
export function announceEdit(step: Step, call: PendingCall, by: NonNullable<PendingCall['edited_by']>): void {
  if (!step.listening) return;
  const { tool_call_id } = call;
  const input = inputToRun(call);
  step.emit({
    type: 'tool_call_edited',
    node: step.node,
    span_id: tool_call_id,
    tool_call_id,
    arguments: input,
    args_hash: argsHash(input),
    by,
  });
}

interface Ran {
  readonly ran: boolean;
  readonly supplied?: SuppliedMark;
}

/** Emits the `tool_result` line of a call that has finished. `ran`: whether the tool ran at all; `duration` in milliseconds. */
export function announceResult(step: Step, call: FinishedCall, { ran, supplied }: Ran, duration: number): void {
  if (!step.listening) return;
  const { tool_call_id, tool, result } = call;
  step.emit({
    type: 'tool_result',
    node: step.node,
    span_id: tool_call_id,
    tool_call_id,
    tool_name: tool,
    result: result.value,
    is_error: result.is_error,
    duration_ms: duration,
    ...(ran && { args_hash: argsHash(inputToRun(call)) }),
    ...(result.error && { error_code: result.error.code }),
    ...(supplied && { supplied }),
  });
}

/** Emits the `tool_result` line of a call that was in progress when its run was cancelled or its time was up. The step fails, so no record has it. */
export function announceCancelled(step: Step, { tool_call_id, tool }: PendingCall, duration: number): void {
  if (!step.listening) return;
  const { reason } = step.ctx.signal;
  const late = reason instanceof DOMException && reason.name === 'TimeoutError';
  step.emit({
    type: 'tool_result',
    node: step.node,
    span_id: tool_call_id,
    tool_call_id,
    tool_name: tool,
    result: late ? 'The time of the request was up before the call ended.' : 'The run was cancelled before the call ended.',
    is_error: true,
    duration_ms: duration,
    error_code: late ? 'CANCELLED_TIMEOUT' : 'CANCELLED_SIGNAL',
  });
}

/** A result that says what went wrong, as the model reads it. */
export function failedCall(call: PendingCall, error: TransferableError): FinishedCall {
  return { ...call, result: { value: `${error.variant}: ${error.message}`, is_error: true, error } };
}
