import type { VoteResult } from '#main/agents/vote.ts';
import { requestState } from '#main/api/agent-flow.ts';
import type { Context } from '#main/runtime/context.ts';
import type { FlowRuntime } from '#main/runtime/flow-runtime.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import type { RunEvent } from '#shared/runtime/event.ts';
import type { SystemRequest, SystemResponse, ToolCallMade } from '#shared/runtime/system-request.ts';

/** Watches an agent answer a request: its lifecycle, its tokens, its tool calls, and how sure a vote is. */
export class AgentObserver {
  readonly request_id: string;
  readonly #request: SystemRequest;
  readonly #context: Context;
  readonly #calls = new Map<string, ToolCallMade>();
  #usage = { tokens_in: 0, tokens_out: 0 };
  #run: FlowRuntime | undefined;
  #vote: VoteResult | undefined;
  #state = 'INIT';

  constructor(request: SystemRequest, context: Context) {
    this.request_id = request.request_id ?? context.newId();
    this.#request = request;
    this.#context = context;
  }

  /** Receives the run's events, and hands them on with the request's trace. */
  readonly onEvent = (event: RunEvent): void => {
    if (event.type === 'inference_end') {
      const { tokens_in, tokens_out } = this.#usage;
      this.#usage = { tokens_in: tokens_in + event.tokens_in, tokens_out: tokens_out + event.tokens_out };
    }
    if (event.type === 'tool_call' && event.tool_name !== submitTool) {
      const { tool_call_id, tool_name: tool, arguments: input } = event;
      this.#calls.set(tool_call_id, { tool_call_id, tool, input, is_error: false });
    }
    if (event.type === 'tool_result') {
      const call = this.#calls.get(event.tool_call_id);
      if (call) this.#calls.set(event.tool_call_id, { ...call, is_error: event.is_error });
    }
    const { trace_id } = this.#request;
    this.#context.onEvent?.(trace_id === undefined ? event : { ...event, trace_id });
  };

  begins(run: FlowRuntime): void {
    this.#run = run;
    if (this.#request.mode === 'plan') this.moves('PLAN', 'a plan is made first');
    this.moves('EXECUTE', 'the agent begins');
  }

  /** Looks at what the last transition left: a vote stands in a state of its own for one step. */
  stepped(): void {
    const vote = this.#run?.snapshot().states.find(({ name }) => name === `${requestState}::vote`);
    if (vote && isJsonObject(vote.value)) this.#vote = vote.value as unknown as VoteResult;
  }

  /** Tells of the next state of the request's lifecycle. */
  moves(to: string, reason: string): void {
    const from = this.#state;
    this.#state = to;
    const seq = this.#run?.snapshot().seq ?? 0;
    this.onEvent({
      run_id: this.request_id,
      seq,
      timestamp: this.#context.clock.now(),
      type: 'lifecycle',
      from,
      to,
      attempt: 1,
      reason,
    });
  }

  response(output: Json | null, error: TransferableError | null): SystemResponse {
    if (!error && this.#request.mode !== 'chat') this.moves('VALIDATE', 'the answer fits its schema');
    if (!error) this.moves('COMPLETE', 'the request is answered');
    const rejected = this.#request.output?.strict_validation === false ? (error?.details.rejected ?? null) : null;
    const answer = output ?? rejected;
    return {
      request_id: this.request_id,
      session_id: this.#request.session_id ?? null,
      content: textOf(answer),
      structured_output: this.#request.output?.schema === undefined ? null : answer,
      tool_calls_made: [...this.#calls.values()],
      confidence: this.#vote?.confidence ?? null,
      confidence_source: this.#vote?.confidence_source ?? null,
      token_usage: this.#usage,
      error,
    };
  }
}

function textOf(answer: Json | null): string {
  if (answer === null) return '';
  if (typeof answer === 'string') return answer;
  if (isJsonObject(answer) && typeof answer.text === 'string') return answer.text;
  return JSON.stringify(answer);
}
