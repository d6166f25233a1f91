import { FlowError } from '#shared/run/error.ts';

/** Throws FlowError `Cancelled` if the run was cancelled. */
export function assertNotCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new FlowError('Cancelled', 'The run was cancelled.');
}
