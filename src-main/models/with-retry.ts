import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { FlowError } from '#shared/run/error.ts';
import { type RetryRule, type RetryTiming, realTiming, retryDelay } from './retry.ts';

/**
 * A client that calls another one again when it fails with an error that is retryable, after growing pauses: for a program's own clients. An answer that has
 * begun to stream is not asked for again.
 */
export function withRetry(client: ModelClient, rule: RetryRule = {}, timing: RetryTiming = realTiming): ModelClient {
  return {
    ...(client.countTokens && { countTokens: (request) => client.countTokens?.(request) ?? Promise.reject(new TypeError('No count.')) }),
    async complete(request) {
      const until = timing.now() + (request.time_left ?? Number.POSITIVE_INFINITY);
      for (let attempt = 1; ; attempt += 1) {
        let spoken = false;
        try {
          return await client.complete({
            ...request,
            ...(request.time_left !== undefined && { time_left: until - timing.now() }),
            onDelta: (delta) => {
              spoken = true;
              request.onDelta?.(delta);
            },
          });
        } catch (error) {
          const delay =
            spoken || request.signal.aborted || !isRetryable(error) ? null : retryDelay(attempt, undefined, timing.random, rule);
          if (delay === null || timing.now() + delay >= until) throw error;
          const code = error instanceof FlowError ? error.code : 'INFERENCE_ENGINE_ERROR';
          request.onPause?.({ type: 'retry', attempt, code, ms: delay });
          await timing.sleep(delay, request.signal);
        }
      }
    },
  };
}

/** A failure that says so, and one that says nothing about it: most of them are of the connection. */
function isRetryable(error: unknown): boolean {
  if (error instanceof FlowError) return error.retryable;
  return !(typeof error === 'object' && error !== null && 'retryable' in error && error.retryable === false);
}
