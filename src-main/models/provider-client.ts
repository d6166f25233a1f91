import type { ModelClient, ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { capText } from '#shared/run/model-text.ts';
import type { TokenUsage } from '#shared/run/token-usage.ts';
import { Answer } from './answer.ts';
import { callQueue } from './call-rate.ts';
import type { Endpoint } from './endpoint.ts';
import { inBandError, isTransient } from './in-band-error.ts';
import { grammarRefused, refusalFailure } from './model-failure.ts';
import { ModelHttp } from './model-http.ts';
import { type RetryTiming, retryDelay } from './retry.ts';

/** Maximum characters of a provider's error message. */
const longestReason = 10_000;

/** A call of a provider. Its client sends through `http.fetch` and writes the response to `answer`. */
export interface ProviderCall {
  readonly request: ModelRequest;
  readonly endpoint: Endpoint;
  readonly http: ModelHttp;
  readonly answer: Answer;
}

/** How a stream ended. `finish` is undefined if it was cut off. */
export interface StreamEnd {
  readonly finish: 'complete' | 'length' | undefined;
  readonly usage: TokenUsage;
  readonly vendor?: Record<string, Json>;
}

/** Creates a client from a provider's function that exchanges a request for an answer. */
export function providerClient(
  model: string,
  endpoint: Endpoint,
  timing: RetryTiming,
  exchange: (call: ProviderCall) => Promise<StreamEnd>,
  count?: (call: ProviderCall) => Promise<number | undefined>,
): ModelClient {
  const attempt = async (request: ModelRequest): Promise<ModelResponse> => {
    const http = new ModelHttp(endpoint, request.signal, timing, request.time_left, request);
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
  /** An attempt in its turn, where the provider's rate is limited. */
  const paced = async (request: ModelRequest): Promise<ModelResponse> => {
    const rate = timing.limits?.rate;
    if (!rate) return attempt(request);
    const arrived = timing.now();
    const end = await callQueue(endpoint).begin(rate, timing, request);
    let tokens = 0;
    try {
      const waited = timing.now() - arrived;
      const response = await attempt({ ...request, ...(request.time_left !== undefined && { time_left: request.time_left - waited }) });
      tokens = response.usage.tokens_in + response.usage.tokens_out;
      return response;
    } finally {
      end(tokens);
    }
  };
  return {
    ...(count && {
      async countTokens(request: ModelRequest): Promise<number> {
        request.signal.throwIfAborted();
        const http = new ModelHttp(endpoint, request.signal, timing, request.time_left);
        const call = { request, endpoint, http, answer: new Answer(request) };
        try {
          const tokens: unknown = await count(call);
          if (typeof tokens === 'number') return tokens;
          throw new SyntaxError('The answer has no number of tokens.');
        } catch (error) {
          throw new FailedExchange(call, error).as(model);
        }
      },
    }),
    async complete(request): Promise<ModelResponse> {
      request.signal.throwIfAborted();
      if (request.grammar !== undefined) throw grammarRefused(model);
      const until = timing.now() + (request.time_left ?? Number.POSITIVE_INFINITY);
      for (let tried = 1; ; tried += 1) {
        try {
          return await paced({ ...request, ...(request.time_left !== undefined && { time_left: until - timing.now() }) });
        } catch (error) {
          if (!(error instanceof FailedExchange)) throw error;
          const delay = error.mayBeRepeated ? retryDelay(tried, undefined, timing.random, timing.limits?.retry) : null;
          if (delay === null || timing.now() + delay >= until) throw error.as(model);
          request.onPause?.({ type: 'retry', attempt: tried, code: 'INFERENCE_MODEL_UNAVAILABLE', ms: delay });
          await timing.sleep(delay, request.signal);
        }
      }
    },
  };
}

/** A failed exchange and its cause. */
class FailedExchange extends Error {
  readonly #call: ProviderCall;
  readonly #error: unknown;
  readonly #inBand: string | undefined;

  constructor(call: ProviderCall, error: unknown) {
    super('the exchange failed');
    this.#call = call;
    this.#error = error;
    this.#inBand = call.http.refused ? undefined : inBandError(error);
  }

  /** Retries an in-band overload error like an error status, unless the answer has already started. */
  get mayBeRepeated(): boolean {
    const { request, answer } = this.#call;
    return this.#inBand !== undefined && isTransient(this.#inBand) && !answer.hasContent && !request.signal.aborted;
  }

  /** Converts to the failure of the model call: `AgentError`, or the signal's reason. */
  as(model: string): unknown {
    const { request, http, answer } = this.#call;
    const error = this.#error;
    if (request.signal.aborted) return request.signal.reason;
    const known = connectionFailure(model, http, error);
    if (known) return known;
    const words = this.#inBand ?? (error instanceof Error ? error.message : String(error ?? 'the stream ended early'));
    const said = capText(http.flooded ?? http.masked(words), longestReason);
    const details = { vendor_message: said };
    const engineFailed = (text: string) => new FlowError('AgentError', text, { code: 'INFERENCE_ENGINE_ERROR', details });
    if (this.#inBand !== undefined && !answer.hasContent) return engineFailed(`${model} failed: ${said}`);
    const unreadable = error instanceof SyntaxError || (error instanceof TypeError && !isCut(error));
    if (http.flooded === undefined && !unreadable && (answer.hasContent || isCut(error)))
      return engineFailed(`The answer of ${model} was cut off: ${said}. Try again.`);
    const text = `Unreadable response from ${model}: ${said}`;
    return new FlowError('AgentError', text, { code: 'INFERENCE_MALFORMED_RESPONSE', details });
  }
}

/** The failure before an answer started: an error response or an unreachable server; otherwise null. */
export function connectionFailure(model: string, http: ModelHttp, error: unknown): FlowError | null {
  if (error instanceof FlowError) return error;
  if (http.refused) return refusalFailure(model, http.refused);
  if (http.unreachable === undefined) return null;
  return new FlowError(
    'AgentError',
    `Can't reach ${model}: ${http.unreachable}. Check your connection, and that the server is running at this address.`,
    {
      code: 'INFERENCE_MODEL_UNAVAILABLE',
      details: { cause: http.unreachable },
    },
  );
}

/** Whether the connection broke, as opposed to a parser error. */
function isCut(error: unknown): boolean {
  return error instanceof TypeError && /terminated|network|fetch failed|socket/i.test(error.message);
}
