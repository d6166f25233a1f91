import { isJson } from '#main/agents/output.ts';
import { isVoteResult, type VoteResult } from '#main/engine/bodies/builtins/vote.ts';

import type { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { messageText } from '#main/models/message-text.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { Correlation } from '#shared/run/correlation.ts';
import { cutMessage, wholeMessages } from '#shared/run/cut-message.ts';
import type { TransferableError } from '#shared/run/error.ts';
import { errorEvent } from '#shared/run/error-event.ts';
import type { EventBody, RunEvent, ValidationResult } from '#shared/run/event.ts';
import type { Message } from '#shared/run/message.ts';
import type { ExecutionContext, ExecutionState, SystemRequest, SystemResponse } from '#shared/run/system-request.ts';
import { promptUsage, UsageCounter } from '#shared/run/token-usage.ts';
import { requestState } from './agent-flow.ts';
import { AgentLifecycle, isStepRecorded } from './agent-lifecycle.ts';
import { CallsMade } from './calls-made.ts';
import { PlanSteps } from './plan-steps.ts';
import { ValidationCollector } from './validation-result.ts';

/** Observes an agent's lifecycle, tokens and tool calls, and the confidence of a vote. */
export class AgentObserver {
  readonly request_id: string;
  readonly lifecycle: AgentLifecycle;
  readonly #request: SystemRequest;
  readonly #context: Context;
  readonly #listener: (event: RunEvent) => void;
  readonly #calls = new CallsMade();
  readonly #usage = new UsageCounter();
  readonly #correlation: Correlation;
  readonly #validation = new ValidationCollector();
  #run: FlowRuntime | undefined;
  #vote: VoteResult | undefined;
  readonly #started: number;
  readonly #steps = new PlanSteps();
  #state: Pick<ExecutionState, 'current' | 'entered_at' | 'attempt'>;
  #lastError: TransferableError | null = null;
  #candidates: readonly Json[] = [];
  #retrieval: number | null = null;
  #failureReported = false;
  /** The step of the plan that the event being handled is about. */
  #step: string | undefined;
  /** The text of the last turn so far. */
  #text = '';
  #turn = 0;

  constructor(request: SystemRequest, context: Context, listener: (event: RunEvent) => void) {
    this.request_id = request.request_id ?? context.newId();
    this.#request = request;
    this.#context = context;
    this.#listener = listener;
    this.#started = context.clock.now();
    const { session_id } = request;
    this.#correlation = new Correlation({ request_id: this.request_id, ...(session_id !== undefined && { session_id }) });
    this.#state = { current: 'INIT', entered_at: this.#started, attempt: 1 };
    this.lifecycle = new AgentLifecycle(request.mode, (move) => {
      this.#state = { current: move.to, entered_at: context.clock.now(), attempt: move.attempt };
      this.#emit({ type: 'lifecycle', ...move });
    });
  }

  /** Receives the run's events and passes them on with their correlation. */
  readonly onEvent = (event: RunEvent): void => {
    this.#count(event);
    this.#step = this.#stepName(event) ?? this.#recordedStep(event);
    this.lifecycle.before(event);
    if (!this.lifecycle.emitsOwn(event)) this.#listener(this.#correlated(event));
    this.lifecycle.after(event);
    this.#step = undefined;
  };

  onStart(run: FlowRuntime): void {
    this.#run = run;
  }

  /** Inspects the states after a transition: the result of a vote exists as a state for one step. */
  stepped(): void {
    const vote = this.#waiting('vote');
    if (vote && isVoteResult(vote)) this.#vote = vote;
    if (this.#request.mode === 'plan') {
      for (const state of ['progress', 'more', 'done']) this.#steps.progress(this.#waiting(state));
      this.#steps.progress(this.#waiting('plan'));
    }
    if (this.#request.mode === 'redundant') this.#candidates = this.#answers() ?? this.#candidates;
  }

  get state(): ExecutionState {
    return { ...this.#state, total_steps: this.#steps.total, last_step: this.#steps.last, last_error: this.#lastError };
  }

  /** `selected`: the tools of the request. */
  executionContext(model: string, selected: readonly string[]): ExecutionContext {
    const { mode } = this.#request;
    return { mode, started_at: this.#started, selected_tools: selected, candidates: this.#candidates, metadata: { model } };
  }

  /** The replicas' answers that wait to be collected; undefined where none does. */
  #answers(): readonly Json[] | undefined {
    const states = this.#run?.snapshot().states ?? [];
    const answers = states.flatMap(({ name, value }) => {
      if (/::answers(_\d+)?$/.test(name)) return Array.isArray(value) ? value : [];
      return /::answer_\d+$/.test(name) ? [value] : [];
    });
    return answers.length > 0 ? answers : undefined;
  }

  /** Begins the request's events. */
  began(): void {
    const { session_id } = this.#request;
    this.#emit({ type: 'init_stream', flow: 'request', flow_hash: '', ...(session_id !== undefined && { conversation_id: session_id }) });
  }

  /** Ends the request's events. */
  ended(output: Json | null, error: TransferableError | null): void {
    const { tokens_in, tokens_out } = this.#usage.usage;
    this.#emit({
      type: 'end_stream',
      status: error === null ? 'success' : error.category === 'cancellation' ? 'cancelled' : 'error',
      ...(error === null ? { output } : { error }),
      states: [],
      total_duration_ms: this.#context.clock.now() - this.#started,
      tokens_used: tokens_in + tokens_out,
      usage: promptUsage(this.#usage.usage),
    });
  }

  /** Reports a failed request, even if no run had started. */
  failed(error: TransferableError): void {
    this.#lastError = error;
    if (!this.#failureReported) this.#emit(errorEvent(error));
  }

  response(output: Json | null, error: TransferableError | null): SystemResponse {
    const rejected = this.#request.output?.strict_validation === false ? (error?.details.rejected ?? null) : null;
    const answer = output ?? rejected;
    return {
      request_id: this.request_id,
      session_id: this.#request.session_id ?? null,
      trace_id: this.#request.trace_id ?? null,
      // What had been said before the answer was cut off.
      content: textOf(answer) || cutText(error),
      structured_output: this.#request.output?.schema === undefined ? null : answer,
      tool_calls_made: this.#calls.list,
      confidence: this.#vote?.confidence ?? this.#retrieval,
      confidence_source: this.#vote?.confidence_source ?? (this.#retrieval === null ? null : 'retrieval'),
      token_usage: this.#usage.usage,
      usage: promptUsage(this.#usage.usage),
      validation: this.#validated(output, error),
      steps: this.#steps.total === null ? null : this.#steps.list,
      messages: this.#messages(output),
      error,
    };
  }

  /** How the output was validated; null where the request has no schema, or has got no answer. */
  #validated(output: Json | null, error: TransferableError | null): ValidationResult | null {
    if (this.#request.output?.schema === undefined) return null;
    return this.#validation.result(output, error, this.#text !== '' && !isJson(this.#text));
  }

  /** The conversation to continue. Plans and votes have several; of them it is the request and the answer. */
  #messages(output: Json | null): readonly Message[] {
    const { mode, messages = [] } = this.#request;
    if (mode === 'chat' || mode === 'structured') {
      const visit = this.#run?.history()[requestState];
      if (visit && visit.length > 0) return withoutDangling(visit, output);
    }
    const text = textOf(output);
    return text === '' ? messages : [...messages, { role: 'assistant', content: [{ type: 'text', text }] }];
  }

  #count(event: RunEvent): void {
    if (event.type === 'error' && event.counted !== false) this.#failureReported = true;
    if (event.type === 'error') this.#lastError = event.error;
    if (event.type === 'tool_result' && !event.is_error) this.#retrieval = confidenceOf(event.result) ?? this.#retrieval;
    const step = this.#stepName(event);
    if (step !== undefined) this.#steps.take(event, step);
    this.#validation.take(event);
    if (event.type === 'message') this.#text = event.turn === this.#turn ? this.#text + event.content : event.content;
    if (event.type === 'message') this.#turn = event.turn;
    this.#usage.take(event);
    this.#calls.take(event);
  }

  /** Adds the correlation of the request, and of a plan its step. */
  #correlated(made: RunEvent): RunEvent {
    const event = this.#correlation.add(made);
    const { trace_id } = this.#request;
    const step_name = this.#stepName(event) ?? (event.type === 'lifecycle' ? this.#step : undefined);
    const inner = event.type === 'lifecycle' && event.node !== undefined;
    return {
      ...event,
      ...(inner && { inner: true as const }),
      ...(trace_id !== undefined && { trace_id }),
      ...(step_name !== undefined && { step_name, caused_by: event.caused_by ?? step_name }),
    };
  }

  /** The step of the plan that an event belongs to. */
  #stepName(event: RunEvent): string | undefined {
    if (event.step_name !== undefined) return event.step_name;
    if (this.#request.mode !== 'plan' || !('node' in event) || event.node !== `${requestState}::step`) return undefined;
    const { step } = (this.#waiting('step') ?? {}) as { readonly step?: { readonly name: string } };
    return step?.name;
  }

  /** The step whose result a node records; undefined where several have ended together. */
  #recordedStep(event: RunEvent): string | undefined {
    if (this.#request.mode !== 'plan' || event.type !== 'node_enter' || !isStepRecorded(event.node)) return undefined;
    const ended = this.#waiting('results');
    if (Array.isArray(ended)) return ended.length === 1 ? (ended[0] as { name: string }).name : undefined;
    const { steps = [], results = [] } = (this.#waiting('going') ?? {}) as {
      steps?: readonly { name: string }[];
      results?: readonly Json[];
    };
    return steps[results.length]?.name;
  }

  #waiting(state: string): Json | undefined {
    return this.#run?.snapshot().states.find(({ name }) => name === `${requestState}::${state}`)?.value;
  }

  #emit(body: EventBody): void {
    const seq = this.#run?.snapshot().seq ?? 0;
    const event = { run_id: this.request_id, seq, timestamp: this.#context.clock.now(), ...body } as RunEvent;
    this.#listener(this.#correlated(event));
  }
}

/** The confidence that a tool says of its result, from 0 to 1. */
function confidenceOf(result: Json): number | undefined {
  const said = isJsonObject(result) ? result.confidence : undefined;
  return typeof said === 'number' && said >= 0 && said <= 1 ? said : undefined;
}

/**
 * Whole messages up to the last one whose calls all have their results. An output that was submitted becomes the text of the answer: a next request may
 * have no tools.
 */
function withoutDangling(visit: readonly Message[], output: Json | null): readonly Message[] {
  const whole = wholeMessages(visit);
  const end = whole.findLastIndex(({ content }) => content.some((part) => part.type === 'tool_call' && part.tool === submitTool));
  const submitting = whole[end]?.content.filter((part) => part.type !== 'tool_call' || part.tool !== submitTool);
  if (output !== null && submitting) {
    const said: Message = { role: 'assistant', content: [{ type: 'text', text: textOf(output) }] };
    const calls = submitting.some(({ type }) => type === 'tool_call');
    const results = whole[end + 1]?.content.filter((part) => part.type === 'tool_result' && part.tool !== submitTool) ?? [];
    const others: Message[] = calls
      ? [
          { role: 'assistant', content: submitting },
          { role: 'tool', content: results },
        ]
      : [];
    return [...whole.slice(0, end), ...others, said];
  }
  const last = whole.at(-1);
  return last?.role === 'assistant' && last.content.some(({ type }) => type === 'tool_call') ? whole.slice(0, -1) : whole;
}

function cutText(error: TransferableError | null): string {
  const partial = error && cutMessage(error);
  return partial ? messageText({ ...partial, content: partial.content.filter(({ type }) => type === 'text') }) : '';
}

function textOf(answer: Json | null): string {
  if (answer === null) return '';
  if (typeof answer === 'string') return answer;
  if (isJsonObject(answer) && typeof answer.text === 'string') return answer.text;
  return JSON.stringify(answer);
}
