import { FlowError } from '#shared/run/error.ts';

/** The failure of a handler that calls what only handlers with `asks: true` may call. */
export function suspendRefused(node: string, name = 'suspend'): FlowError {
  return new FlowError(
    'HandlerError',
    `The handler of ${node} cannot suspend or call ctx.${name}. Add the option asks: true to a handler of a flow in code; elsewhere, use a suspend node, an agent with ask_user, or a tool body.`,
    {
      node,
      retryable: false,
    },
  );
}
