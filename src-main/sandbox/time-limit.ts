import { type Context, createContext, Script } from 'node:vm';

/** Thrown for work that was still computing when its time was up. */
export class TimeIsUp extends Error {}

const script = new Script('work()');
let place: (Context & { work?: () => unknown }) | undefined;

/**
 * Computes something and ends it in the middle, whatever it is doing, once it has taken this long (milliseconds of the clock). What was ended leaves its
 * data half changed. A watchdog thread is started for each call, which takes about 0.2 ms.
 */
export function withTimeLimit<Result>(work: () => Result, milliseconds: number): Result {
  place ??= createContext({});
  place.work = work;
  try {
    return script.runInContext(place, { timeout: milliseconds }) as Result;
  } catch (error) {
    // It is an error of the script's own realm.
    if ((error as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TimeIsUp('The time is up.');
    throw error;
  } finally {
    place.work = undefined;
  }
}
