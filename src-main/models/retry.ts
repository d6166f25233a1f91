import { setTimeout as wait } from 'node:timers/promises';

/** How waiting between attempts is done. */
export interface RetryTiming {
  /** Ends early, by throwing, when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Time of day in milliseconds. */
  readonly now: () => number;
}

export const realTiming: RetryTiming = {
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
  random: Math.random,
  now: Date.now,
};

/** One request and three more. */
export const maxAttempts = 4;

const first = 500;
const longest = 8000;
/** A vendor that wants a longer pause than this is told to the user at once. */
const longestAsked = 60_000;

/** True for answers that may be different the next time. 529 is Anthropic's "overloaded". */
export function mayRetry(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/**
 * Milliseconds to wait after a failed attempt (from 1): what the vendor asks for, else a pause that doubles, half of it by chance. Null when
 * there is no use in waiting.
 */
export function retryDelay(attempt: number, asked: number | undefined, random: () => number): number | null {
  if (attempt >= maxAttempts) return null;
  if (asked !== undefined) return asked <= longestAsked ? asked : null;
  const full = Math.min(longest, first * 2 ** (attempt - 1));
  return full / 2 + (full / 2) * random();
}

/** Milliseconds that `retry-after-ms` or `retry-after` (seconds or a date, RFC 9110 section 10.2.3) ask for. */
export function askedDelay(headers: Headers, now: number): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') || Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headers.get('retry-after');
  if (!text) return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
