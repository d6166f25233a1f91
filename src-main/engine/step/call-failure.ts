import { type FlowError, type FlowErrorVariant, ToolError, type TransferableError } from '#shared/run/error.ts';

/** Failures that are not a called flow's own: they fail the caller's step instead of being its tool's result. */
const callers: ReadonlySet<FlowErrorVariant> = new Set(['Cancelled', 'Conflict', 'LimitExceeded', 'SecretInState', 'SnapLoadError']);

/** Whether a failure inside a called flow is the result of the call. */
export function isResultOfCall(error: FlowError | ToolError): boolean {
  return error instanceof ToolError || !callers.has(error.variant);
}

/** The failure of a call whose flow has failed. `inside`: what the ids of the flow's nodes begin with. */
export function callFailure(tool: string, cause: TransferableError, inside = ''): ToolError {
  const node = cause.node?.startsWith(inside) ? cause.node.slice(inside.length) : cause.node;
  const place = node === null ? '' : ` at ${node}`;
  const options = { retryable: cause.retryable, details: cause.details, cause };
  return new ToolError('Other', `${tool} failed${place}: ${cause.message}`, options);
}
