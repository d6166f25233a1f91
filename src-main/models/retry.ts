import { setTimeout as wait } from 'node:timers/promises';

/** Timing of retries. */
export interface RetryTiming {
  /** Throws as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Current time in milliseconds. */
  readonly now: () => number;
}

export const realTiming: RetryTiming = {
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
  random: Math.random,
  now: Date.now,
};

/** Maximum attempts: one request and three retries. */
export const maxAttempts = 4;

const first = 500;
const longest = 8000;
/** If a vendor asks for a longer pause, the error is reported at once. */
const longestAsked = 60_000;

/** Whether a status is transient. 529 is Anthropic's "overloaded". */
export function mayRetry(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/**
 * Milliseconds to wait after a failed attempt (starting at 1): what the vendor asks for, or exponential backoff with jitter. Null if there
 * should be no retry.
 */
export function retryDelay(attempt: number, asked: number | undefined, random: () => number): number | null {
  if (attempt >= maxAttempts) return null;
  if (asked !== undefined) return asked <= longestAsked ? asked : null;
  const full = Math.min(longest, first * 2 ** (attempt - 1));
  return full / 2 + (full / 2) * random();
}

/** Milliseconds from `retry-after-ms` or `retry-after` (seconds or a date, RFC 9110 section 10.2.3). */
export function requestedDelay(headers: Headers, now: number): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') || Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headers.get('retry-after');
  if (!text) return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
