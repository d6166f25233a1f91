import { randomBytes, timingSafeEqual } from 'node:crypto';

/** The first address works for this long, in milliseconds. */
export const oneTimeTokenLife = 60_000;
/** Maximum number of page tokens; the least recently used is dropped first. */
const pageTokenLimit = 256;

const newToken = (): string => randomBytes(32).toString('base64url');

/** Tokens that work once, within a minute. */
class OneTimeTokens {
  readonly #now: () => number;
  readonly #expiries = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(): string {
    const token = newToken();
    this.#expiries.set(token, this.#now() + oneTimeTokenLife);
    return token;
  }

  /** Returns true once for each token that has not expired. */
  redeem(token: string): boolean {
    const expires = this.#expiries.get(token);
    this.#expiries.delete(token);
    for (const [other, end] of this.#expiries) if (end <= this.#now()) this.#expiries.delete(other);
    return expires !== undefined && this.#now() < expires;
  }
}

/**
 * Who may load the page and who may call. Four secrets with four powers: a one-time token opens the first page and
 * nothing else; a link token, which a file of the user's holds, is exchanged for a one-time token; the cookie loads the page
 * again, without any token in it; a page token, which only the first page and pages that it vouches for ever see, is what calls
 * carry. So a cookie that reaches another port of this host opens nothing.
 */
export class PageAccess {
  /** Tokens of addresses that the user opens. */
  readonly oneTimeTokens: OneTimeTokens;
  /** Tokens of link files. */
  readonly linkTokens: OneTimeTokens;
  readonly #pageTokens = new Set<string>();
  readonly #cookie = newToken();

  /** `now` is a clock in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.oneTimeTokens = new OneTimeTokens(now);
    this.linkTokens = new OneTimeTokens(now);
  }

  /** Value of the cookie that loads the page. */
  get cookie(): string {
    return this.#cookie;
  }

  issuePageToken(): string {
    const token = newToken();
    this.#pageTokens.add(token);
    const oldest = this.#pageTokens.values().next().value;
    if (this.#pageTokens.size > pageTokenLimit && oldest !== undefined) this.#pageTokens.delete(oldest);
    return token;
  }

  isPageToken(token: string | undefined): boolean {
    if (token === undefined || !this.#pageTokens.delete(token)) return false;
    this.#pageTokens.add(token);
    return true;
  }

  isCookie(value: string | undefined): boolean {
    if (value === undefined) return false;
    const given = Buffer.from(value);
    const ours = Buffer.from(this.#cookie);
    return given.length === ours.length && timingSafeEqual(given, ours);
  }
}
