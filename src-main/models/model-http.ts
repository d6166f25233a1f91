import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { traceHeaders } from '#main/platform/trace-context.ts';
import type { Endpoint } from './endpoint.ts';
import type { RefusedRequest } from './model-failure.ts';
import { mayRetry, type RetryTiming, requestedDelay, retryDelay } from './retry.ts';

/** Headers that may be sent to an endpoint of the workspace. The vendors' clients add others from this machine's environment. */
const harmless = new Set([
  'accept',
  'anthropic-beta',
  'anthropic-version',
  'authorization',
  'content-type',
  'user-agent',
  'x-api-key',
  'x-goog-api-key',
]);

/** Maximum bytes of a response. It exceeds the maximum size of a value, because streams have overhead. */
const largestAnswer = 128 * 1024 * 1024;

interface Sending {
  readonly response?: Response;
  readonly error?: unknown;
  /** Whether a retry may succeed. */
  readonly retryable: boolean;
  /** Milliseconds until the vendor accepts a retry. */
  readonly retryAfter?: number;
}

/**
 * The HTTP requests of a model call. All vendors' clients send through `fetch`, so retries, cancellation, redirects and error details are the
 * same for all of them.
 */
export class ModelHttp {
  readonly #endpoint: Endpoint;
  readonly #signal: AbortSignal;
  readonly #timing: RetryTiming;
  /** The last error response. */
  refused: RefusedRequest | undefined;
  /** Why there was no response at all. */
  unreachable: string | undefined;
  /** Why the response was not read completely. */
  flooded: string | undefined;
  readonly #until: number;
  readonly #room: ModelRequest['room'];
  readonly #onPause: ModelRequest['onPause'];

  /**
   * `timeLeft`: time limit for the answer in milliseconds. There is no retry after a longer pause. `room`: reading the response waits for it between
   * chunks.
   */
  constructor(
    endpoint: Endpoint,
    signal: AbortSignal,
    timing: RetryTiming,
    timeLeft = Number.POSITIVE_INFINITY,
    { room, onPause }: Pick<ModelRequest, 'room' | 'onPause'> = {},
  ) {
    this.#room = room;
    this.#onPause = onPause;
    this.#endpoint = endpoint;
    this.#signal = signal;
    this.#timing = timing;
    this.#until = timing.now() + timeLeft;
  }

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const signals = init.signal ? [init.signal, this.#signal] : [this.#signal];
    // A key is sent only to the address that it was entered for, so redirects are not followed.
    const sent: RequestInit = { ...init, headers: this.#headers(init.headers), redirect: 'manual', signal: AbortSignal.any(signals) };
    for (let attempt = 1; ; attempt += 1) {
      const sending = await this.#send(input, sent);
      const delay = sending.retryable ? retryDelay(attempt, sending.retryAfter, this.#timing.random, this.#timing.limits?.retry) : null;
      if (delay !== null && this.#timing.now() + delay < this.#until) {
        this.#onPause?.({ type: 'retry', attempt, code: 'INFERENCE_MODEL_UNAVAILABLE', ms: delay });
        await this.#timing.sleep(delay, this.#signal);
      } else if (sending.response) return sending.response;
      else throw sending.error;
    }
  };

  async #send(input: string | URL | Request, init: RequestInit): Promise<Sending> {
    let response: Response;
    try {
      response = this.#bounded(await fetch(input, init));
    } catch (error) {
      this.#signal.throwIfAborted();
      this.unreachable = this.masked(causeOf(error));
      return { error, retryable: true };
    }
    this.unreachable = undefined;
    this.refused = undefined;
    if (response.ok) return { response, retryable: false };
    const retryAfter = requestedDelay(response.headers, this.#timing.now());
    const text = await response.text();
    this.refused = {
      status: response.status,
      message: this.masked(vendorMessage(text)) || response.statusText,
      ...(retryAfter !== undefined && { retry_after: retryAfter / 1000 }),
    };
    const { status, headers } = response;
    return {
      response: new Response(text || null, { status, headers }),
      retryable: mayRetry(status),
      ...(retryAfter !== undefined && { retryAfter }),
    };
  }

  /** Limits the size of a response, so that an endless one cannot fill the memory. */
  #bounded(response: Response): Response {
    if (!response.body) return response;
    let size = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform: async (chunk, controller) => {
        await this.#room?.();
        size += chunk.byteLength;
        if (size <= largestAnswer) return controller.enqueue(chunk);
        this.flooded = `more than ${largestAnswer / 1024 / 1024} MiB came`;
        controller.error(new Error(this.flooded));
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(count), { status, statusText, headers });
  }

  #headers(given: RequestInit['headers']): Headers {
    const headers = new Headers(given);
    if (this.#endpoint.from_workspace) for (const name of [...headers.keys()]) if (!harmless.has(name)) headers.delete(name);
    if (this.#endpoint.key === null) headers.delete('authorization');
    for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value);
    return headers;
  }

  /** Masks the key in a text. */
  masked(text: string): string {
    const { key } = this.#endpoint;
    return key ? text.replaceAll(key, '***') : text;
  }
}

/** The vendor's error message: `error.message` or similar, otherwise the body, shortened. */
function vendorMessage(body: string): string {
  let said: unknown;
  try {
    const json: unknown = JSON.parse(body);
    const answer: unknown = Array.isArray(json) ? json[0] : json;
    const error = field(answer, 'error');
    said = field(error, 'message') ?? error ?? field(answer, 'message');
  } catch {
    // Not JSON, for example a proxy's error page.
  }
  const text = typeof said === 'string' ? said : body;
  return text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;
}

const longestMessage = 1000;

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Why a request failed: Node puts it in the cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || String(field(cause, 'code') ?? cause.name);
}
