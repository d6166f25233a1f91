import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { notifyListener } from '#main/engine/step/notify-listener.ts';
import { unlessAborted } from '#main/engine/step/on-abort.ts';
import { randomId } from '#main/engine/values/random-id.ts';
import { checkSchema } from '#main/engine/values/schema-validator.ts';
import { parseModelUrl } from '#shared/flow/model-url.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import { FlowError, ToolError, type TransferableError, toTransferable } from '#shared/run/error.ts';
import type { RunEvent, Suspension } from '#shared/run/event.ts';
import type { ExecutionContext, ExecutionState, SystemRequest, SystemResponse } from '#shared/run/system-request.ts';
import { type AskedAgent, agentFlow } from './agent-flow.ts';
import { AgentObserver } from './agent-observer.ts';
import { type AgentTool, agentTools, assertAnswered } from './agent-tools.ts';

/** Options of `callAgent`. */
export interface AgentCallOptions extends AskedAgent {
  /**
   * Answers a tool that asks (an approval, `ask_user`). Default: the context's. Without it, a request with a tool that may ask fails with
   * `CONFIG_NO_ANSWERER` before the model is called.
   */
  readonly onSuspend?: (suspension: Suspension) => Json | Promise<Json>;
  /** Callback for events: the lifecycle, the streamed text, calls and results. Default: the context's `onEvent`. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Callback for errors of `onEvent`. Default: the context's; without it, an uncaught error. */
  readonly onListenerError?: (error: unknown, event: RunEvent) => void;
}

/**
 * Runs a single agent for a request, in one of pagantic's four patterns. Never rejects: a failure is the response's `error`, with partial
 * results. Events, including the pattern's lifecycle (`AgentLifecycle`), go to `onEvent`, each with pagantic's correlation ids.
 */
export function callAgent(request: SystemRequest, options: AgentCallOptions): AgentCall {
  let observer: AgentObserver | undefined;
  const response = observed(request, options, (made) => {
    observer = made;
  }).catch((error: unknown) => unanswered(request, toTransferable(error)));
  const began = Date.now();
  return Object.assign(response, {
    state: () => observer?.state ?? { ...notBegun, entered_at: began },
    context: () => {
      const { tools = [], mode = 'chat' } = request ?? {};
      const selected = tools.length === 0 && request?.tools ? [...(options?.context?.tools.keys() ?? [])] : tools;
      const model = options?.model ?? '';
      return (
        observer?.executionContext(model, selected) ?? {
          mode,
          started_at: began,
          selected_tools: selected,
          candidates: [],
          metadata: { model },
        }
      );
    },
  });
}

/** A request in progress: its response, and where it is meanwhile. */
export interface AgentCall extends Promise<SystemResponse> {
  /** Where the request is now. */
  state(): ExecutionState;
  /** What it works with. */
  context(): ExecutionContext;
}

const notBegun = { current: 'INIT', attempt: 1, total_steps: null, last_step: null, last_error: null } as const;

/** `onObserver` is called before anything is waited for. Rejects where creating the request or the context failed: an id, a clock, a missing option. */
async function observed(
  request: SystemRequest,
  options: AgentCallOptions,
  onObserver: (observer: AgentObserver) => void,
): Promise<SystemResponse> {
  if (!options?.context) {
    throw new FlowError('Invalid', 'callAgent needs a context: { model, context: await createContext({ … }) }.', {
      code: 'CONFIG_NO_CONTEXT',
    });
  }
  const { context, onEvent = context.onEvent, onListenerError = context.onListenerError } = options;
  const listener = { onEvent, onListenerError };
  const observer = new AgentObserver(request ?? {}, context, (event) => notifyListener(listener, event));
  onObserver(observer);
  try {
    // The caller has the request in hand before its first event.
    await null;
    observer.began();
    if (context.signal.aborted) throw new FlowError('Cancelled', 'The request was cancelled before it started.');
    const output = await drive(request, options, observer);
    observer.ended(output, null);
    return observer.response(output, null);
  } catch (error) {
    const failure = transferable(error, context);
    observer.failed(failure);
    observer.ended(null, failure);
    return observer.response(null, failure);
  }
}

/** The response of a request that could not be observed. */
function unanswered(request: SystemRequest | undefined, error: TransferableError): SystemResponse {
  const { request_id, session_id, trace_id } = request ?? ({} as Partial<SystemRequest>);
  return {
    request_id: typeof request_id === 'string' ? request_id : randomId(),
    session_id: typeof session_id === 'string' ? session_id : null,
    trace_id: typeof trace_id === 'string' ? trace_id : null,
    content: '',
    structured_output: null,
    tool_calls_made: [],
    confidence: null,
    confidence_source: null,
    token_usage: { tokens_in: 0, tokens_out: 0 },
    usage: { prompt_tokens: 0, completion_tokens: 0 },
    validation: null,
    steps: null,
    messages: [],
    error,
  };
}

async function drive(request: SystemRequest, options: AgentCallOptions, observer: AgentObserver): Promise<Json> {
  // Loaded lazily: programs that only run flows need no zod.
  const { outputSchemaOf, systemRequestSchema } = await import('#shared/run/system-request.ts');
  const parsed = systemRequestSchema.safeParse(request);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new FlowError('Invalid', `Invalid request: ${issue?.message} (at ${issue?.path.join('.') || 'its root'}).`, {
      code: 'CONFIG_REQUEST_INVALID',
    });
  }
  const schema = outputSchemaOf(parsed.data);
  if (schema === null) {
    throw new FlowError('Invalid', 'A request of mode "structured" needs the schema of its output (output.schema).', {
      code: 'CONFIG_SCHEMA_REQUIRED',
    });
  }
  const tools = await assertCanBeAnswered(parsed.data, schema, options);
  observer.lifecycle.accepted();
  const graph = agentFlow(parsed.data, schema, options, tools);
  const run = FlowRuntime.new(graph, {}, { run_id: observer.request_id });
  observer.onStart(run);
  const seconds = parsed.data.hints?.timeout_seconds;
  const deadline = seconds === undefined ? undefined : AbortSignal.timeout(Math.min(longestTimer, Math.ceil(seconds * 1000)));
  try {
    return await answered(run, options, observer, deadline);
  } catch (error) {
    if (deadline?.aborted && !options.context.signal.aborted) throw tooLate(seconds, error);
    throw error;
  } finally {
    run.dispose();
  }
}

/** Validates a request before the model is called. Resolves with the agent's tools. */
async function assertCanBeAnswered(request: SystemRequest, schema: JsonSchema, options: AgentCallOptions): Promise<AgentTool[]> {
  const fault = checkSchema(schema);
  if (fault) {
    throw new FlowError('Invalid', `Invalid output schema (output.schema): ${fault.message} (at ${fault.path || '/'}).`, {
      code: 'CONFIG_REQUEST_INVALID',
    });
  }
  const { model, context, onSuspend = context.onSuspend, trust_content = false } = options;
  const url = parseModelUrl(model);
  if (!url.ok) throw new FlowError('Invalid', url.message, { code: 'CONFIG_NO_ENGINE' });
  const tools = agentTools(request.tools, context);
  if (!onSuspend) assertAnswered(tools, context, trust_content);
  return tools;
}

/** The maximum delay of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** Runs to the output. `deadline` applies to everything: all steps of a plan, all replicas, and waiting for answers. */
async function answered(
  run: FlowRuntime,
  options: AgentCallOptions,
  observer: AgentObserver,
  deadline: AbortSignal | undefined,
): Promise<Json> {
  const signal = deadline ? AbortSignal.any([options.context.signal, deadline]) : options.context.signal;
  const context = { ...options.context, from_program: true, signal, onEvent: observer.onEvent };
  run.workAhead(context);
  try {
    return await finish(run, context, options, observer);
  } finally {
    await run.stopAhead();
  }
}

async function finish(run: FlowRuntime, context: Context, options: AgentCallOptions, observer: AgentObserver): Promise<Json> {
  for (let outcome = await run.next(context); ; ) {
    observer.stepped();
    if (outcome.type === 'done') {
      observer.lifecycle.completed();
      return outcome.output;
    }
    if (outcome.type === 'suspend') {
      const [suspension] = run.snapshot().control.suspensions as [Suspension];
      const answer = await unlessAborted(context.signal, answerTo(suspension, options));
      outcome = await run.resume(context, suspension.tool_id, answer, { tool_call_id: suspension.tool_call_id });
    } else outcome = await run.next(context);
  }
}

function tooLate(seconds: number | undefined, error: unknown): FlowError {
  const { details = {}, node = null } = error instanceof FlowError ? error.options : {};
  const timeout = { code: 'CANCELLED_TIMEOUT', category: 'cancellation', retryable: false } as const;
  return new FlowError('AgentError', `The request exceeded its time limit of ${seconds} s.`, { ...timeout, details, node });
}

async function answerTo(suspension: Suspension, { context, onSuspend = context.onSuspend }: AgentCallOptions): Promise<Json> {
  if (onSuspend) return onSuspend(suspension);
  throw new ToolError('Missing', `${suspension.tool_id} asks for an answer, but callAgent has no onSuspend. Pass one.`, {
    tool_id: suspension.tool_id,
  });
}

function transferable(error: unknown, { signal }: Context): TransferableError {
  if (error instanceof FlowError || error instanceof ToolError) return error.toJSON();
  if (signal.aborted) return new FlowError('Cancelled', 'The request was cancelled.').toJSON();
  return new FlowError('HandlerError', error instanceof Error ? error.message : String(error)).toJSON();
}
