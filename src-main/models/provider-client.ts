import { Answer } from '#main/models/answer.ts';
import type { Endpoint } from '#main/models/endpoint.ts';
import type { ModelClient, ModelRequest, ModelResponse } from '#main/models/model-client.ts';
import { grammarRefused, refusalFailure } from '#main/models/model-failure.ts';
import { ModelHttp } from '#main/models/model-http.ts';
import { type RetryTiming, retryDelay } from '#main/models/retry.ts';
import { isPassing, toldFailure } from '#main/models/told-failure.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';
import type { TokenUsage } from '#shared/runtime/message.ts';
import { capText } from '#shared/runtime/model-text.ts';

/** Characters of what a provider says of its own failure. */
const longestReason = 10_000;

/** One call of a provider. Its client sends through `http.fetch`, and what comes goes into `answer`. */
export interface ProviderCall {
  readonly request: ModelRequest;
  readonly endpoint: Endpoint;
  readonly http: ModelHttp;
  readonly answer: Answer;
}

/** How a stream ended. `finish` is undefined when it ended without saying so: it was cut. */
export interface StreamEnd {
  readonly finish: 'complete' | 'length' | undefined;
  readonly usage: TokenUsage;
  readonly vendor?: Record<string, Json>;
}

/** A provider's client around its way of exchanging one request for one answer. */
export function providerClient(
  model: string,
  endpoint: Endpoint,
  timing: RetryTiming,
  exchange: (call: ProviderCall) => Promise<StreamEnd>,
): ModelClient {
  const attempt = async (request: ModelRequest): Promise<ModelResponse> => {
    const http = new ModelHttp(endpoint, request.signal, timing, request.time_left);
    const call = { request, endpoint, http, answer: new Answer(request) };
    let end: StreamEnd;
    try {
      end = await exchange(call);
    } catch (error) {
      throw new FailedExchange(call, error);
    }
    if (end.finish === undefined) throw new FailedExchange(call, undefined);
    const finish_reason = end.finish === 'length' ? 'length' : call.answer.callsTools ? 'tool' : 'stop';
    return { message: call.answer.message(end.vendor), finish_reason, usage: end.usage };
  };
  return {
    async complete(request): Promise<ModelResponse> {
      request.signal.throwIfAborted();
      if (request.grammar !== undefined) throw grammarRefused(model);
      const until = timing.now() + (request.time_left ?? Number.POSITIVE_INFINITY);
      for (let tried = 1; ; tried += 1) {
        try {
          return await attempt({ ...request, ...(request.time_left !== undefined && { time_left: until - timing.now() }) });
        } catch (error) {
          if (!(error instanceof FailedExchange)) throw error;
          const delay = error.mayBeRepeated ? retryDelay(tried, undefined, timing.random) : null;
          if (delay === null || timing.now() + delay >= until) throw error.as(model);
          await timing.sleep(delay, request.signal);
        }
      }
    },
  };
}

/** An exchange that did not come to its end, and why. */
class FailedExchange extends Error {
  readonly #call: ProviderCall;
  readonly #error: unknown;
  readonly #told: string | undefined;

  constructor(call: ProviderCall, error: unknown) {
    super('the exchange failed');
    this.#call = call;
    this.#error = error;
    this.#told = call.http.refused ? undefined : toldFailure(error);
  }

  /** A server that says, before the first word, that it is overloaded says it as well by its status. Once an answer has begun, nothing is repeated. */
  get mayBeRepeated(): boolean {
    const { request, answer } = this.#call;
    return this.#told !== undefined && isPassing(this.#told) && !answer.begun && !request.signal.aborted;
  }

  /** As the failure of the model's call: `AgentError`, or the signal's reason. */
  as(model: string): unknown {
    const { request, http, answer } = this.#call;
    const error = this.#error;
    if (request.signal.aborted) return request.signal.reason;
    const known = connectionFailure(model, http, error);
    if (known) return known;
    const words = this.#told ?? (error instanceof Error ? error.message : String(error ?? 'the stream ended early'));
    const said = capText(http.flooded ?? http.masked(words), longestReason);
    const details = { vendor_message: said };
    const engineFailed = (text: string) => new FlowError('AgentError', text, { code: 'INFERENCE_ENGINE_ERROR', details });
    if (this.#told !== undefined && !answer.begun) return engineFailed(`${model} gives up: ${said}`);
    const unreadable = error instanceof SyntaxError || (error instanceof TypeError && !isCut(error));
    if (http.flooded === undefined && !unreadable && (answer.begun || isCut(error)))
      return engineFailed(`The answer of ${model} was cut off: ${said}. Try again.`);
    const text = `${model} answered with what cannot be read: ${said}`;
    return new FlowError('AgentError', text, { code: 'INFERENCE_MALFORMED_RESPONSE', details });
  }
}

/** What went wrong before an answer began: a refusal, or a server that cannot be reached. Null where it is neither. */
export function connectionFailure(model: string, http: ModelHttp, error: unknown): FlowError | null {
  if (error instanceof FlowError) return error;
  if (http.refused) return refusalFailure(model, http.refused);
  if (http.unreachable === undefined) return null;
  return new FlowError('AgentError', `${model} cannot be reached: ${http.unreachable}. Is it running, and is its address right?`, {
    code: 'INFERENCE_MODEL_UNAVAILABLE',
    details: { cause: http.unreachable },
  });
}

/** True when the connection ended, not the reader of what came. */
function isCut(error: unknown): boolean {
  return error instanceof TypeError && /terminated|network|fetch failed|socket/i.test(error.message);
}
