import { FlowError } from '#shared/run/error.ts';

/** The failure of a step that the run's cancellation ended. */
export function cancelled(node: string): FlowError {
  return new FlowError('Cancelled', 'The run was cancelled. Its states are as they were.', { node });
}
