import { Answer } from '#main/models/answer.ts';
import type { Endpoint } from '#main/models/endpoint.ts';
import type { ModelClient, ModelRequest, ModelResponse } from '#main/models/model-client.ts';
import { grammarRefused, refusalFailure } from '#main/models/model-failure.ts';
import { ModelHttp } from '#main/models/model-http.ts';
import type { RetryTiming } from '#main/models/retry.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';
import type { TokenUsage } from '#shared/runtime/message.ts';

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
  return {
    async complete(request): Promise<ModelResponse> {
      request.signal.throwIfAborted();
      if (request.grammar !== undefined) throw grammarRefused(model);
      const call = {
        request,
        endpoint,
        http: new ModelHttp(endpoint, request.signal, timing, request.time_left),
        answer: new Answer(request),
      };
      let end: StreamEnd;
      try {
        end = await exchange(call);
      } catch (error) {
        throw failureOf(model, call, error);
      }
      if (end.finish === undefined) throw failureOf(model, call, undefined);
      const finish_reason = end.finish === 'length' ? 'length' : call.answer.callsTools ? 'tool' : 'stop';
      return { message: call.answer.message(end.vendor), finish_reason, usage: end.usage };
    },
  };
}

function failureOf(model: string, { request, http, answer }: ProviderCall, error: unknown): unknown {
  if (request.signal.aborted) return request.signal.reason;
  const known = connectionFailure(model, http, error);
  if (known) return known;
  const said = http.flooded ?? http.masked(error instanceof Error ? error.message : String(error ?? 'the stream ended early'));
  const details = { vendor_message: said };
  const unreadable = error instanceof SyntaxError || (error instanceof TypeError && !isCut(error));
  if (http.flooded !== undefined || unreadable || (!answer.begun && !isCut(error))) {
    return new FlowError('AgentError', `${model} answered with what cannot be read: ${said}`, {
      code: 'INFERENCE_MALFORMED_RESPONSE',
      details,
    });
  }
  return new FlowError('AgentError', `The answer of ${model} was cut off: ${said}. Try again.`, {
    code: 'INFERENCE_ENGINE_ERROR',
    details,
  });
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
