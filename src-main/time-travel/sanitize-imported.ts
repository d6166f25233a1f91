import { withoutApproval } from '#main/engine/tool-calls/edited-input.ts';
import type { AgentState, Control, Frame, HandlerState, PendingCall } from '#shared/run/snapshot.ts';

/**
 * Sanitizes the steps in progress of an imported run. Data is taken as it is; what represents the
 * user's decision is not: approvals, answers and questions (which may show a different call than the one that would run, so they are asked
 * again), and every agent counts as tainted.
 */
export function sanitizeImported(control: Control): Control {
  return {
    ...control,
    frames: mapped(control.frames, (frame): Frame => (frame.call ? { ...frame, call: { ...frame.call, tainted: true } } : frame)),
    agents: mapped(control.agents, (agent): AgentState => ({ ...agent, tainted: true, pending: agent.pending.map(sanitizeCall) })),
    handlers: mapped(control.handlers, (handler): HandlerState => ({ ...handler, calls: handler.calls.map(sanitizeCall) })),
    suspensions: [],
    answers: [],
  };
}

/** A call with a result is data and is not repeated. A called flow that was waiting starts over, since its question is dropped. */
function sanitizeCall(call: PendingCall): PendingCall {
  if (call.result) return call;
  const { answer: _answer, flow: _flow, ...asked } = withoutApproval(call);
  return asked;
}

function mapped<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
