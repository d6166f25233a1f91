import { note } from './note.ts';
import { slowness } from './slowness.ts';

/** Milliseconds that a program has to start. */
export const startLimitMs: number = 20_000 * slowness;

/**
 * Starts a program for a test. A start that takes longer than `limitMs` is abandoned and tried once more, and the retry is reported: a start
 * that hangs now and then costs seconds instead of the whole test, and does not stay hidden. `start` ends what it has started when its signal
 * is aborted. A start that fails is not retried.
 */
export async function startInTime<T>(what: string, start: (signal: AbortSignal) => Promise<T>, limitMs: number = startLimitMs): Promise<T> {
  try {
    return await startOnce(what, start, limitMs);
  } catch (error) {
    if (!(error instanceof StartTimeout)) throw error;
    note(`Retried: ${error.message}.`);
    return startOnce(what, start, limitMs);
  }
}

/** Thrown when a program has not started in time. */
export class StartTimeout extends Error {}

async function startOnce<T>(what: string, start: (signal: AbortSignal) => Promise<T>, limitMs: number): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const error = new StartTimeout(`${what} did not start within ${limitMs / 1000} s`);
    controller.abort(error);
    reject(error);
  }, limitMs);
  const started = start(controller.signal);
  // What an abandoned start throws when it is ended adds nothing.
  started.catch(() => undefined);
  try {
    return await Promise.race([started, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
