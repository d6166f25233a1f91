import { FlowError } from '#shared/runtime/error.ts';

/** Ends a tool's work where the run has been cancelled. Throws FlowError `Cancelled`. */
export function assertGoingOn(signal: AbortSignal): void {
  if (signal.aborted) throw new FlowError('Cancelled', 'The run was cancelled.');
}
