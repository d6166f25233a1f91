import type { Stop } from '#shared/run/stop.ts';

/** After how many seconds a hold ends by itself; undefined: never. */
export interface HoldLimit {
  readonly seconds: number | undefined;
  readonly onExpired: (stop: Stop) => void;
}

/** Holds one driven run inside a step, one call at a time, until the user continues it. */
export class RunHolds {
  readonly #now: () => number;
  readonly #onChange: (stop: Stop | null) => void;
  readonly #limit: HoldLimit | undefined;
  #total = 0;
  #current: { readonly stop: Stop; readonly since: number; readonly released: Promise<void>; readonly release: () => void } | undefined;

  /** `onChange`: the run is held, or (null) no longer. */
  constructor(now: () => number, onChange: (stop: Stop | null) => void, limit?: HoldLimit) {
    this.#now = now;
    this.#onChange = onChange;
    this.#limit = limit;
  }

  /** Where the run is held; null if it isn't. */
  get stop(): Stop | null {
    return this.#current?.stop ?? null;
  }

  /** For how long the run was held so far, in milliseconds. */
  readonly held = (): number => this.#total + (this.#current ? this.#now() - this.#current.since : 0);

  /** Waits until a hold in progress has ended, then asks `decide` and holds the run if that returns a stop. Rejects once the signal is aborted. */
  gate(decide: () => Stop | null, signal: AbortSignal): Promise<void> | undefined {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#current) return this.#current.released.then(() => this.gate(decide, signal));
    const stop = decide();
    return stop === null ? undefined : this.#hold(stop, signal);
  }

  /** Ends the hold in progress. Returns false if there is none. */
  release(): boolean {
    this.#current?.release();
    return this.#current !== undefined;
  }

  #releaseLater(stop: Stop, release: () => void): NodeJS.Timeout | undefined {
    const { seconds, onExpired } = this.#limit ?? {};
    if (seconds === undefined) return undefined;
    return setTimeout(() => {
      onExpired?.(stop);
      release();
    }, seconds * 1000);
  }

  async #hold(stop: Stop, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => resolve(), { once: true });
    const since = this.#now();
    this.#current = { stop, since, released: promise.then(() => undefined), release: resolve };
    this.#onChange(stop);
    const timer = this.#releaseLater(stop, resolve);
    await promise;
    clearTimeout(timer);
    this.#total += this.#now() - since;
    this.#current = undefined;
    this.#onChange(null);
    signal.throwIfAborted();
  }
}
