import type { Endpoint } from '#main/models/endpoint.ts';
import type { RefusedRequest } from '#main/models/model-failure.ts';
import { askedDelay, mayRetry, type RetryTiming, retryDelay } from '#main/models/retry.ts';

/** Headers that may go to an endpoint of the workspace. The vendors' clients add others from this machine's environment. */
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

/** Most bytes of one answer. A value of a run has at most as much text, and a stream says it in many more words. */
const largestAnswer = 128 * 1024 * 1024;

interface Sending {
  readonly response?: Response;
  readonly error?: unknown;
  /** Another attempt may end differently. */
  readonly again: boolean;
  /** Milliseconds after which the vendor wants to be asked again. */
  readonly asked?: number;
}

/**
 * The HTTP requests of one model call. All vendors' clients send through `fetch`, so retrying, cancelling, redirects and what is known of a
 * failure are the same for all of them.
 */
export class ModelHttp {
  readonly #endpoint: Endpoint;
  readonly #signal: AbortSignal;
  readonly #timing: RetryTiming;
  /** The last answer that was no success. */
  refused: RefusedRequest | undefined;
  /** Why no answer came at all. */
  unreachable: string | undefined;
  /** Why what came was not read to its end. */
  flooded: string | undefined;
  readonly #until: number;

  /** `timeLeft`: milliseconds within which an answer has to come. A pause that would last longer is not made. */
  constructor(endpoint: Endpoint, signal: AbortSignal, timing: RetryTiming, timeLeft = Number.POSITIVE_INFINITY) {
    this.#endpoint = endpoint;
    this.#signal = signal;
    this.#timing = timing;
    this.#until = timing.now() + timeLeft;
  }

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const signals = init.signal ? [init.signal, this.#signal] : [this.#signal];
    // A key goes to the address that it was entered for: a redirect is an answer, not an order.
    const sent: RequestInit = { ...init, headers: this.#headers(init.headers), redirect: 'manual', signal: AbortSignal.any(signals) };
    for (let attempt = 1; ; attempt += 1) {
      const sending = await this.#send(input, sent);
      const delay = sending.again ? retryDelay(attempt, sending.asked, this.#timing.random) : null;
      if (delay !== null && this.#timing.now() + delay < this.#until) await this.#timing.sleep(delay, this.#signal);
      else if (sending.response) return sending.response;
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
      return { error, again: true };
    }
    this.unreachable = undefined;
    this.refused = undefined;
    if (response.ok) return { response, again: false };
    const asked = askedDelay(response.headers, this.#timing.now());
    const text = await response.text();
    this.refused = {
      status: response.status,
      message: this.masked(vendorMessage(text)) || response.statusText,
      ...(asked !== undefined && { retry_after: asked / 1000 }),
    };
    const { status, headers } = response;
    return { response: new Response(text || null, { status, headers }), again: mayRetry(status), ...(asked !== undefined && { asked }) };
  }

  /** The answer with an end: a server that never stops talking fills no memory. */
  #bounded(response: Response): Response {
    if (!response.body) return response;
    let size = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
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
    return headers;
  }

  /** The text without the key. */
  masked(text: string): string {
    const { key } = this.#endpoint;
    return key ? text.replaceAll(key, '***') : text;
  }
}

/** What a vendor says of its refusal: `error.message` and its kin, else the body, shortened. */
function vendorMessage(body: string): string {
  let said: unknown;
  try {
    const json: unknown = JSON.parse(body);
    const answer: unknown = Array.isArray(json) ? json[0] : json;
    const error = field(answer, 'error');
    said = field(error, 'message') ?? error ?? field(answer, 'message');
  } catch {
    // A proxy's page, perhaps.
  }
  const text = typeof said === 'string' ? said : body;
  return text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;
}

const longestMessage = 1000;

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Why a request did not get through: Node hides it in the cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || String(field(cause, 'code') ?? cause.name);
}
