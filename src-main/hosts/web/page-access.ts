import { randomBytes, timingSafeEqual } from 'node:crypto';

/** The first address works for this long, in milliseconds. */
export const oneTimeTokenLife = 60_000;
/** Tokens of pages that are kept; the one used longest ago goes first. */
const pageTokenLimit = 256;

const newToken = (): string => randomBytes(32).toString('base64url');

/**
 * Who may load the page and who may call. Three secrets with three powers: a one-time token opens the first page and
 * nothing else; the cookie loads the page again, without any token in it; a page token, which only the first page and
 * pages that it vouches for ever see, is what calls carry. So a cookie that reaches another port of this host opens nothing.
 */
export class PageAccess {
  readonly #now: () => number;
  readonly #oneTimeTokens = new Map<string, number>();
  readonly #pageTokens = new Set<string>();
  readonly #cookie = newToken();

  /** `now` is a clock in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Value of the cookie that loads the page. */
  get cookie(): string {
    return this.#cookie;
  }

  issueOneTimeToken(): string {
    const token = newToken();
    this.#oneTimeTokens.set(token, this.#now() + oneTimeTokenLife);
    return token;
  }

  /** True once for each token, within its life. */
  redeemOneTimeToken(token: string): boolean {
    const expires = this.#oneTimeTokens.get(token);
    this.#oneTimeTokens.delete(token);
    for (const [other, end] of this.#oneTimeTokens) if (end <= this.#now()) this.#oneTimeTokens.delete(other);
    return expires !== undefined && this.#now() < expires;
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
