import { setTimeout as wait } from 'node:timers/promises';
import type { CallRate } from './call-rate.ts';

/** Timing of retries. */
export interface RetryTiming {
  /** Throws as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Current time in milliseconds. */
  readonly now: () => number;
  /** What the workspace or the program says about the provider. */
  readonly limits?: ProviderLimits | undefined;
}

/** How a provider is called. */
export interface ProviderLimits {
  readonly retry?: RetryRule | undefined;
  readonly rate?: CallRate | undefined;
}

export const realTiming: RetryTiming = {
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
  random: Math.random,
  now: Date.now,
};

/** How often a failed call is made, and how long the pauses are. */
export interface RetryRule {
  /** Requests, the first one included. Default: 4. */
  readonly attempts?: number | undefined;
  /** The first pause in milliseconds; each further one is twice as long. Default: 500. */
  readonly first_ms?: number | undefined;
  /** The longest pause in milliseconds. Default: 8,000. */
  readonly longest_ms?: number | undefined;
}

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
export function retryDelay(
  attempt: number,
  asked: number | undefined,
  random: () => number,
  { attempts = 4, first_ms = 500, longest_ms = 8000 }: RetryRule = {},
): number | null {
  if (attempt >= attempts) return null;
  if (asked !== undefined) return asked <= longestAsked ? asked : null;
  const full = Math.min(longest_ms, first_ms * 2 ** (attempt - 1));
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
