import { RequestProblem } from './problems.ts';

/** Requests of one token that may be in progress at once. */
const atOnceLimit = 120;

interface Caller {
  /** Requests that may be made now. */
  left: number;
  refilledAt: number;
  inProgress: number;
}

/** Limits how many requests a token makes: `perSecond` on average and at most two seconds' worth in one burst, and 120 at once. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #callers = new Map<string, Caller>();

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Counts a request until the returned function is called, which may be called again. Throws `RequestProblem` for one too many. */
  enter(tokenId: string): () => void {
    const now = this.#now();
    const burst = this.#perSecond * 2;
    const caller = this.#callers.get(tokenId) ?? { left: burst, refilledAt: now, inProgress: 0 };
    this.#callers.set(tokenId, caller);
    caller.left = Math.min(burst, caller.left + ((now - caller.refilledAt) / 1000) * this.#perSecond);
    caller.refilledAt = now;
    if (caller.left < 1)
      throw tooMany(Math.ceil((1 - caller.left) / this.#perSecond), `A token may make ${this.#perSecond} requests a second.`);
    if (caller.inProgress >= atOnceLimit) throw tooMany(1, `A token may have ${atOnceLimit} requests in progress.`);
    caller.left -= 1;
    caller.inProgress += 1;
    let inProgress = true;
    return () => {
      if (inProgress) caller.inProgress -= 1;
      inProgress = false;
    };
  }
}

function tooMany(seconds: number, message: string): RequestProblem {
  return new RequestProblem(429, 'TOO_MANY_REQUESTS', `${message} Wait ${seconds} s.`, { headers: { 'retry-after': String(seconds) } });
}
