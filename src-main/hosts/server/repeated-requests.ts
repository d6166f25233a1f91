import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type RequestKey, type RequestStore, requestClaim, type StoredAnswer } from '#main/store/server-store.ts';
import type { JsonObject } from '#shared/json.ts';
import { RequestProblem } from './problems.ts';

/** How long answers are kept, in milliseconds. */
const keptFor = 24 * 60 * 60 * 1000;
/** How often old answers are removed, in milliseconds. */
const forgetEvery = 60_000;
/** How long a repeated request waits for the first one, in milliseconds. */
const patience = 10_000;
/** How often a request is looked up that another process performs, in milliseconds. */
const lookUp = 200;

/** What a request that may be sent again knows and writes down. */
export interface Intent {
  /** What an earlier try of this request was about to do when its process died. Null: there was none, or it had not come that far. */
  readonly earlier: JsonObject | null;
  /** Whether the request was begun by a process that died. */
  readonly repeated: boolean;
  /** Writes down what the request is about to do, before it does. */
  note(intent: JsonObject): Promise<void>;
}

/** A request without a key: it is never known again. */
export const unrepeatable: Intent = { earlier: null, repeated: false, note: async () => undefined };

/** Makes sure that a request with an `Idempotency-Key` is performed once, however often it is sent. */
export class RepeatedRequests {
  readonly #store: RequestStore;
  readonly #now: () => number;
  #forgotAt = 0;
  /** Requests of this process that are being performed, by their keys. */
  readonly #inProgress = new Map<string, { readonly bodyHash: string; readonly answer: Promise<StoredAnswer> }>();

  constructor(store: RequestStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Performs a request, or returns the answer of the first one with this key. Throws `RequestProblem` for another body, or if the first one is still being
   * performed after 10 s. A failure of the server (5xx) is not kept.
   */
  async once(key: RequestKey, body: string | Uint8Array, perform: (intent: Intent) => Promise<StoredAnswer>): Promise<StoredAnswer> {
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const name = JSON.stringify([key.token_id, key.route, key.key]);
    const first = this.#inProgress.get(name);
    if (first) {
      assertSameBody(first.bodyHash, bodyHash);
      return replayed(await withinPatience(first.answer));
    }
    const answer = this.#begin(key, bodyHash, perform);
    this.#inProgress.set(name, { bodyHash, answer });
    return answer.finally(() => this.#inProgress.delete(name));
  }

  async #begin(key: RequestKey, bodyHash: string, perform: (intent: Intent) => Promise<StoredAnswer>): Promise<StoredAnswer> {
    await this.#forgetOld();
    let known = await this.#store.begin(key, bodyHash, this.#now());
    if (known) assertSameBody(known.body_hash, bodyHash);
    for (let waited = 0; known?.in_progress; waited += lookUp) {
      if (waited >= patience) throw stillInProgress();
      await wait(lookUp);
      known = await this.#store.begin(key, bodyHash, this.#now());
    }
    if (known?.answer) return replayed(known.answer);
    return this.#perform(key, perform, { earlier: known?.intent ?? null, repeated: known !== null });
  }

  /** Removes old answers, at most once a minute. */
  async #forgetOld(): Promise<void> {
    const now = this.#now();
    if (now - this.#forgotAt < forgetEvery) return;
    this.#forgotAt = now;
    await this.#store.forgetBefore(now - keptFor);
  }

  async #perform(
    key: RequestKey,
    perform: (intent: Intent) => Promise<StoredAnswer>,
    before: Pick<Intent, 'earlier' | 'repeated'>,
  ): Promise<StoredAnswer> {
    const renewal = setInterval(() => void this.#store.renew(key).catch(() => undefined), requestClaim / 4).unref();
    const answer = await perform({ ...before, note: (intent) => this.#store.note(key, intent) }).finally(() => clearInterval(renewal));
    if (answer.status >= 500) await this.#store.forget(key);
    else await this.#store.finish(key, answer);
    return answer;
  }
}

function assertSameBody(first: string, again: string): void {
  if (first !== again)
    throw new RequestProblem(422, 'IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was sent with another body before. Use a new key.');
}

function replayed(answer: StoredAnswer): StoredAnswer {
  return { ...answer, headers: { ...answer.headers, 'idempotent-replay': 'true' } };
}

async function withinPatience(first: Promise<StoredAnswer>): Promise<StoredAnswer> {
  const late = new AbortController();
  try {
    const answer = await Promise.race([first, wait(patience, null, { signal: late.signal }).catch(() => null)]);
    if (answer) return answer;
  } finally {
    late.abort();
  }
  throw stillInProgress();
}

function stillInProgress(): RequestProblem {
  return new RequestProblem(
    409,
    'IDEMPOTENCY_KEY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still being performed. Try again later.',
  );
}
