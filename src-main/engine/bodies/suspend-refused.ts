import { FlowError } from '#shared/run/error.ts';

/** The failure of a handler that calls `ctx.suspend`. */
export function suspendRefused(node: string): FlowError {
  return new FlowError(
    'HandlerError',
    `A handler cannot suspend. To wait for a person at ${node}, use a suspend node, an agent with ask_user, or a tool body.`,
    {
      node,
      retryable: false,
    },
  );
}
