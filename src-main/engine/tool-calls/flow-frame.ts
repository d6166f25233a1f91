import { acceptInput } from '#main/engine/step/accept-input.ts';
import { callFailure } from '#main/engine/step/call-failure.ts';
import { type FlowTool, nameOfFlow } from '#main/engine/step/flow-tool.ts';
import { openedFrame } from '#main/engine/step/frame-cursor.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, ToolError, type TransferableError } from '#shared/run/error.ts';
import { callFrameKey } from '#shared/run/node-id.ts';
import type { PendingCall } from '#shared/run/snapshot.ts';
import type { CallOutcome, OpenedCall } from './tool-call.ts';
import { announceResult, failedCall } from './tool-call-events.ts';

/** How many called flows may contain each other. */
export const deepestCall = 64;

/** Opens the frame in which a called flow runs, step by step, once the calling step is recorded. Throws `ToolError` for an input that does not fit. */
export function openFrame(step: Step, call: PendingCall, tool: FlowTool, input: Json, tainted: boolean): OpenedCall {
  const { plan, cursor, node } = step;
  const flow = nameOfFlow(plan, tool);
  const depth = cursor?.levels.filter(({ frame }) => frame.call).length ?? 0;
  if (depth >= deepestCall) {
    throw new ToolError('Other', `${call.tool} was not called: flows call each other ${deepestCall} levels deep, which is the maximum.`);
  }
  const key = callFrameKey(node, flow, call.tool_call_id);
  const called = plan.called(flow, tainted);
  if (!called) throw new FlowError('BuildError', `${node} calls no flow ${flow}. Build the flow again.`, { node });
  try {
    const accepted = acceptInput(called, input, 'The input', `${key}::${called.entry.name}`);
    const frame = openedFrame(accepted, { flow, tool: call.tool, tool_call_id: call.tool_call_id, tainted, seconds: 0 });
    return { type: 'opened', call: { ...call, frame: key }, frame };
  } catch (error) {
    if (error instanceof FlowError) throw callFailure(call.tool, error.toJSON(), `${key}::`);
    throw error;
  }
}

/** Makes the result of a call from its frame, whose flow has finished or failed. */
export function collectFrame(step: Step, pending: PendingCall, key: string): CallOutcome {
  const { frame: _done, ...call } = pending;
  const frame = step.run.control.frames[key];
  if (!frame?.call || frame.index === 0) {
    throw new FlowError('SnapLoadError', `The call of ${call.tool} has not finished, and nothing of it is left to run.`, {
      node: step.node,
    });
  }
  const { error, seconds } = frame.call;
  const finished = error
    ? failedCall(call, placed(step, call, callFailure(call.tool, error, `${key}::`).toJSON()))
    : { ...call, result: { value: frame.results.flat()[0] as Json, is_error: false } };
  announceResult(step, finished, { ran: true }, seconds * 1000);
  return { type: 'finished', call: finished, ran: true };
}

function placed({ node }: Step, { tool }: PendingCall, error: TransferableError): TransferableError {
  return error.tool_id === null ? { ...error, node, tool_id: `${node}::${tool}` } : error;
}
