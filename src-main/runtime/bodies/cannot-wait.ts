import { FlowError } from '#shared/runtime/error.ts';

/** The failure of plain code that calls a tool which asks somebody: it cannot be left in the middle and run again. */
export function cannotWait(node: string, tool: string): FlowError {
  const message = `The tool ${tool} asks somebody, and the handler of ${node} cannot wait. Call it from an agent, a tool body or a sandboxed body.`;
  return new FlowError('HandlerError', message, { node, retryable: false });
}
