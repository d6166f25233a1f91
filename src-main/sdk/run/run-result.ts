import { FlowError, fromTransferable, type TransferableError } from '#shared/run/error.ts';
import type { Suspension } from '#shared/run/event.ts';

/** Why a run rests: its end, a question, a failure, or that nothing drives it. */
export type RunResult<Output> =
  | { readonly status: 'success'; readonly output: Output }
  | { readonly status: 'suspended'; readonly suspension: Suspension }
  | { readonly status: 'error'; readonly error: TransferableError }
  | { readonly status: 'cancelled'; readonly error: TransferableError }
  | { readonly status: 'paused' };

/** The output of a run that has ended. Throws for any other result. */
export function outputOrThrow<Output>(result: RunResult<Output>): Output {
  switch (result.status) {
    case 'success':
      return result.output;
    case 'error':
    case 'cancelled':
      throw fromTransferable(result.error);
    case 'suspended':
      throw new FlowError(
        'ResumeRequired',
        `The run waits for an answer at ${result.suspension.node}. Call run.resume(suspension, answer), or pass onSuspend to createContext.`,
        { node: result.suspension.node, tool_id: result.suspension.tool_id },
      );
    case 'paused':
      throw new FlowError('Conflict', 'The run was paused before its end. Call toEnd() again to continue it.');
  }
}
