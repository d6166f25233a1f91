import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { unlessAborted } from '#main/engine/step/on-abort.ts';
import { sha256 } from '#main/engine/values/sha256.ts';
import type { Endpoint } from './endpoint.ts';
import type { RetryTiming } from './retry.ts';

/** How often a provider may be called. Absent: as often as asked for. */
export interface CallRate {
  readonly requests_per_minute?: number | undefined;
  /** Tokens of requests and answers, as the provider reports them: a call begins while fewer were used. */
  readonly tokens_per_minute?: number | undefined;
  /** Calls in progress at once. */
  readonly concurrent?: number | undefined;
}

type Reason = 'requests' | 'tokens' | 'concurrent';

const minute = 60_000;

/** The calls of one endpoint with one key, first come, first served. */
export class CallQueue {
  /** When the calls of the last minute began. */
  #begun: number[] = [];
  #used: { readonly at: number; readonly tokens: number }[] = [];
  #inProgress = 0;
  #ended = Promise.withResolvers<void>();
  /** Resolves when the last one in line has begun or has left. */
  #tail: Promise<void> = Promise.resolve();

  /** Waits for its turn. Returns what ends the call, with the tokens that it used. Throws the signal's reason. */
  async begin(rate: CallRate, timing: RetryTiming, request: Pick<ModelRequest, 'signal' | 'onPause'>): Promise<(tokens: number) => void> {
    const before = this.#tail;
    const begun = Promise.withResolvers<void>();
    this.#tail = Promise.all([before, begun.promise]).then(() => {});
    const arrived = timing.now();
    let reason = this.#full(rate, arrived)?.reason;
    try {
      await unlessAborted(request.signal, before);
      for (let full = this.#full(rate, timing.now()); full; full = this.#full(rate, timing.now())) {
        reason ??= full.reason;
        await (full.ms === undefined
          ? unlessAborted(request.signal, this.#ended.promise)
          : timing.sleep(Math.max(1, Math.ceil(full.ms)), request.signal));
      }
      this.#begun.push(timing.now());
      this.#inProgress += 1;
    } finally {
      begun.resolve();
    }
    const ms = timing.now() - arrived;
    if (reason !== undefined) request.onPause?.({ type: 'wait', reason, ms });
    return (tokens) => {
      this.#inProgress -= 1;
      if (tokens > 0) this.#used.push({ at: timing.now(), tokens });
      this.#ended.resolve();
      this.#ended = Promise.withResolvers();
    };
  }

  /** What a call has to wait for, and for how long if that is known. */
  #full(rate: CallRate, now: number): { readonly reason: Reason; readonly ms?: number } | undefined {
    const since = now - minute;
    this.#begun = this.#begun.filter((at) => at > since);
    this.#used = this.#used.filter(({ at }) => at > since);
    const { requests_per_minute: requests, tokens_per_minute: tokens, concurrent } = rate;
    if (concurrent !== undefined && this.#inProgress >= concurrent) return { reason: 'concurrent' };
    const oldest = requests === undefined ? undefined : this.#begun[this.#begun.length - requests];
    if (oldest !== undefined) return { reason: 'requests', ms: oldest + minute - now };
    const used = this.#used.reduce((sum, each) => sum + each.tokens, 0);
    const [first] = this.#used;
    return tokens !== undefined && first && used >= tokens ? { reason: 'tokens', ms: first.at + minute - now } : undefined;
  }
}

const queues = new Map<string, CallQueue>();

/** The queue of an endpoint and key in this thread. */
export function callQueue({ base_url, key }: Endpoint): CallQueue {
  const name = `${base_url} ${key === null ? '' : sha256(key)}`;
  const queue = queues.get(name) ?? new CallQueue();
  queues.set(name, queue);
  return queue;
}
