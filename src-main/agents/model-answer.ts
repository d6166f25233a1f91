import type { ModelClient, ModelClients, ModelRequest, ModelResponse, ToolDefinition } from '#main/engine/ports/model-client.ts';
import { maskSecrets } from '#main/engine/secrets/mask.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import { unlessAborted } from '#main/engine/step/on-abort.ts';
import { readerRoom } from '#main/engine/step/reader-room.ts';
import type { Step } from '#main/engine/step/step.ts';
import { Answer } from '#main/models/answer.ts';
import { withCutMessage } from '#shared/run/cut-message.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';
import type { AgentState } from '#shared/run/snapshot.ts';
import type { AgentPlan } from './agent-plan.ts';
import { DeltaMerger } from './delta-merger.ts';
import { grammarText } from './grammar.ts';
import type { KeptVisit } from './kept-conversation.ts';
import { normalizeResponse } from './normalize-response.ts';

/** A model call of an agent. */
export interface ModelCall {
  readonly step: Step;
  readonly plan: AgentPlan;
  readonly state: AgentState;
  readonly messages: readonly Message[];
  /** The model that is called. Default: the agent's. */
  readonly url?: string;
  /** Present for an agent with a kept conversation: earlier exchanges come before the messages. */
  readonly visit?: KeptVisit | undefined;
}

/** The maximum delay of a timer, in milliseconds. */
const longest = 2 ** 31 - 1;

/**
 * Calls a model, or what a mock puts in its place, and emits its streamed text. Stops when the run is cancelled or the agent's time is up, even if the client does not. Throws
 * `FlowError`; its details contain the partial answer (`cutMessage`).
 */
export async function modelAnswer(
  call: ModelCall,
  url: string,
  tools: readonly ToolDefinition[],
  mock?: ModelClient,
): Promise<ModelResponse> {
  const { step, plan, state, messages } = call;
  const { control, limits } = step.run;
  const grammar = plan.grammar === undefined ? undefined : await grammarText(step, plan.grammar);
  const deltas = step.listening ? new DeltaMerger(step, state.turn + 1) : undefined;
  const soFar = new Answer({ onDelta: ({ type, text }) => deltas?.add(type, text) });
  const seconds = Math.min(plan.seconds - state.seconds, limits.seconds - step.run.counted().seconds);
  const time_left = Math.min(longest, Math.ceil(Math.max(0, seconds) * 1000));
  const deadline = AbortSignal.timeout(time_left);
  const signal = AbortSignal.any([step.ctx.signal, deadline]);
  const request: ModelRequest = {
    messages,
    tools,
    ...(state.concluding !== undefined && tools.length > 0 && { tool_choice: plan.ends === 'submit' ? 'required' : 'none' }),
    ...(plan.ends === 'answer' && { output_schema: plan.output.schema }),
    ...(grammar !== undefined && { grammar }),
    params: plan.settings.params ?? {},
    node: step.node,
    turn: control.script_positions[step.node] ?? 0,
    signal,
    time_left,
    onPause: (pause) => {
      if (!step.listening) return;
      const place = { node: step.node, turn: state.turn + 1 };
      if (pause.type === 'wait') step.emit({ ...pause, ...place, type: 'inference_wait' });
      else step.emit({ ...pause, ...place, type: 'inference_retry' });
    },
    room: () => readerRoom({ ...step.ctx, signal }),
    onDelta: ({ type, text }) => {
      if (!signal.aborted) soFar.append(type, text);
    },
    onCall: ({ tool, input, tool_call_id }) => soFar.call(tool, input, tool_call_id),
  };
  try {
    const asked = Promise.resolve(mock ?? clientOf(step, url)).then((client) => (client ?? noEngine(step, url)).complete(request));
    const response = normalizeResponse(url, await unlessAborted(signal, asked));
    // Some clients do not stream.
    if (!soFar.hasContent) for (const part of response.message.content) say(deltas, part);
    return response;
  } catch (error) {
    const failure = failureOf(call, url, error, deadline.aborted);
    throw soFar.hasContent && failure instanceof FlowError ? cutOff(step, failure, soFar.message()) : failure;
  } finally {
    deltas?.flush();
  }
}

/** The client of a model. Programs in plain JavaScript may leave the models out, and their own may know none. */
function clientOf({ ctx }: Step, url: string): ReturnType<ModelClients> | undefined {
  return typeof ctx.models === 'function' ? ctx.models(url) : undefined;
}

function noEngine({ node }: Step, url: string): never {
  const message = `${node} calls ${url}, but the context has no client for it. Create the context with createContext, or return a client from its models.`;
  throw new FlowError('AgentError', message, { node, code: 'CONFIG_NO_ENGINE', category: 'configuration', retryable: false });
}

function say(deltas: DeltaMerger | undefined, part: MessagePart): void {
  if (part.type === 'text' || part.type === 'reasoning') deltas?.add(part.type, part.text);
}

function failureOf({ step, plan, state }: ModelCall, url: string, error: unknown, late: boolean): FlowError | ToolError {
  if (step.ctx.signal.aborted) return cancelled(step.node);
  if (late) return timedOut(step, plan, state);
  if (error instanceof FlowError || error instanceof ToolError) return error;
  return new FlowError('AgentError', `Model ${url} failed: ${error instanceof Error ? error.message : String(error)}`, {
    node: step.node,
  });
}

/** Adds the partial answer to the failure, with secrets masked. */
function cutOff({ node, ctx }: Step, failure: FlowError, said: Message): FlowError {
  const message = ctx.secrets.size > 0 ? maskSecrets(ctx.secrets, said) : said;
  return new FlowError(failure.variant, failure.message, {
    ...failure.options,
    node,
    details: withCutMessage(failure.options.details ?? {}, message),
  });
}

function timedOut(step: Step, plan: AgentPlan, state: AgentState): FlowError {
  const { limits } = step.run;
  const ofAgent = plan.seconds - state.seconds <= limits.seconds - step.run.counted().seconds;
  if (!ofAgent) return new FlowError('LimitExceeded', `The run reached its limit of ${limits.seconds} seconds.`, { node: step.node });
  return new FlowError('AgentError', `Agent ${step.node} exceeded its time limit of ${plan.seconds} s.`, {
    node: step.node,
    code: 'CANCELLED_TIMEOUT',
    category: 'cancellation',
    retryable: false,
  });
}
