import type { Step } from '#main/engine/step/step.ts';
import { FlowError, ToolError, toTransferable } from '#shared/run/error.ts';

/** What a handler threw, as the step's failure. A handler's own error may say whether trying again can help (`retryable`). */
export function thrownBy(step: Step, error: unknown): FlowError {
  if (error instanceof FlowError) return error;
  const cause = error instanceof ToolError ? { cause: error.toJSON() } : {};
  const own = !(error instanceof ToolError) && typeof error === 'object' && error !== null && 'retryable' in error;
  const retryable = own && typeof error.retryable === 'boolean' ? error.retryable : true;
  const { message, details } = toTransferable(error);
  return new FlowError('HandlerError', `The handler of ${step.node} failed: ${message}`, { node: step.node, retryable, details, ...cause });
}
