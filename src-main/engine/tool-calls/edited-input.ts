import type { Json } from '#shared/json.ts';
import type { PendingCall } from '#shared/run/snapshot.ts';
import { sameValue } from '#shared/value-changes.ts';

/** The call approved with this input; where that is not the model's, it is marked as edited. */
export function approvedWith(call: PendingCall, approved_input: Json, marksEdits: boolean): PendingCall {
  const edited = marksEdits && !sameValue(approved_input, call.input);
  const { edited_by: _earlier, ...asked } = call;
  return { ...asked, approved_input, ...(edited && { edited_by: 'person' }) };
}

/** The call without its approval. */
export function withoutApproval({ approved_input: _input, edited_by: _by, ...call }: PendingCall): PendingCall {
  return call;
}

/** The input that a call runs with: what a person approved, else what the model gave. */
export function inputToRun({ input, approved_input }: PendingCall): Json {
  return approved_input ?? input;
}
