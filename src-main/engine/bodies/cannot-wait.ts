import { FlowError } from '#shared/run/error.ts';

/** The failure of plain code that calls a tool that asks the user: it cannot be left in the middle and run again. */
export function cannotWait(node: string, tool: string): FlowError {
  const message = `The tool ${tool} asks a person, and the handler of ${node} cannot wait. If the call need not ask, name the tool in the node as { "use": "${tool}", "approve": "never" }; else add the option asks: true to a handler of a flow in code, or call it from an agent, a tool body or a sandboxed body.`;
  return new FlowError('HandlerError', message, { node, retryable: false });
}
