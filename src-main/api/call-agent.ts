import { type AskedAgent, agentFlow } from '#main/api/agent-flow.ts';
import { AgentObserver } from '#main/api/agent-observer.ts';
import type { Context } from '#main/runtime/context.ts';
import { FlowRuntime } from '#main/runtime/flow-runtime.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, ToolError, type TransferableError } from '#shared/runtime/error.ts';
import type { RunEvent, Suspension } from '#shared/runtime/event.ts';
import type { SystemRequest, SystemResponse } from '#shared/runtime/system-request.ts';

/** Who answers a request, and with what. */
export interface AgentCallOptions extends AskedAgent {
  /** Answers a tool that waits for somebody (an approval, `ask_user`). Without it such a call fails with `TOOL_UNAVAILABLE`. */
  readonly onSuspend?: (suspension: Suspension) => Promise<Json>;
  /** Told of everything as it happens: the lifecycle, the model's words, calls and results. Default: the context's `onEvent`. */
  readonly onEvent?: (event: RunEvent) => void;
}

/**
 * Has a single agent answer a request, in one of pagantic's four patterns. Never rejects: a failure is the response's `error`, with what had come by
 * then. Its events go to `onEvent` as they happen, among them the pattern's lifecycle (`AgentLifecycle`), each with pagantic's correlation ids.
 */
export async function callAgent(request: SystemRequest, options: AgentCallOptions): Promise<SystemResponse> {
  const { context, onEvent = context.onEvent } = options;
  const observer = new AgentObserver(request, context, (event) => onEvent?.(event));
  try {
    return observer.response(await drive(request, options, observer), null);
  } catch (error) {
    const failure = transferable(error, context);
    observer.failed(failure);
    return observer.response(null, failure);
  }
}

async function drive(request: SystemRequest, options: AgentCallOptions, observer: AgentObserver): Promise<Json> {
  // Loaded with the first request: who only runs flows needs no zod.
  const { outputSchemaOf, systemRequestSchema } = await import('#shared/runtime/system-request.ts');
  const parsed = systemRequestSchema.safeParse(request);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new FlowError('Invalid', `The request cannot be used: ${issue?.message} (at ${issue?.path.join('.') || 'its root'}).`, {
      code: 'CONFIG_REQUEST_INVALID',
    });
  }
  const schema = outputSchemaOf(parsed.data);
  if (schema === null) {
    throw new FlowError('Invalid', 'A request of mode "structured" needs the schema of its output (output.schema).', {
      code: 'CONFIG_SCHEMA_REQUIRED',
    });
  }
  observer.lifecycle.accepted();
  const graph = agentFlow(parsed.data, schema, options);
  const run = FlowRuntime.new(graph, {}, { run_id: observer.request_id });
  observer.begins(run);
  const context = { ...options.context, onEvent: observer.onEvent };
  for (let outcome = await run.next(context); ; ) {
    observer.stepped();
    if (outcome.type === 'done') {
      observer.lifecycle.completed();
      return outcome.output;
    }
    if (outcome.type === 'suspend') {
      const [suspension] = run.snapshot().control.suspensions as [Suspension];
      const answer = await answerTo(suspension, options);
      outcome = await run.resume(context, suspension.tool_id, answer, { tool_call_id: suspension.tool_call_id });
    } else outcome = await run.next(context);
  }
}

async function answerTo(suspension: Suspension, { onSuspend }: AgentCallOptions): Promise<Json> {
  if (onSuspend) return onSuspend(suspension);
  throw new ToolError(
    'Missing',
    `${suspension.tool_id} waits for an answer, and nobody is there to give one. Give callAgent an onSuspend.`,
    {
      tool_id: suspension.tool_id,
    },
  );
}

function transferable(error: unknown, { signal }: Context): TransferableError {
  if (error instanceof FlowError || error instanceof ToolError) return error.toJSON();
  if (signal.aborted) return new FlowError('Cancelled', 'The request was cancelled.').toJSON();
  return new FlowError('HandlerError', error instanceof Error ? error.message : String(error)).toJSON();
}
