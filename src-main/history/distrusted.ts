import { withoutApproval } from '#main/runtime/edited-input.ts';
import type { AgentState, Control, HandlerState, PendingCall } from '#shared/runtime/snapshot.ts';

/**
 * What is under way in a run that somebody else may have written down, as it may go on here. Data is taken as it is; what stands for a
 * person's word is not: no approval, no answer, no question (which may show another call than the one that would be made, so it is asked
 * anew), and every agent counts as having read what others wrote.
 */
export function distrusted(control: Control): Control {
  return {
    ...control,
    agents: mapped(control.agents, (agent): AgentState => ({ ...agent, tainted: true, pending: agent.pending.map(distrustedCall) })),
    handlers: mapped(control.handlers, (handler): HandlerState => ({ ...handler, calls: handler.calls.map(distrustedCall) })),
    suspensions: [],
    answers: [],
  };
}

/** A call that has its result is data: it is not made again. A flow that was called and waits starts over, since its question is gone. */
function distrustedCall(call: PendingCall): PendingCall {
  if (call.result) return call;
  const { answer: _answer, flow: _flow, ...asked } = withoutApproval(call);
  return asked;
}

function mapped<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
