import type { Clock } from '#main/engine/ports/context.ts';

/** A clock that stands still until it is advanced. It is the time of day of runs; timers of the process are not changed. */
export interface FakeClock extends Clock {
  /** Moves the time on. */
  advance(milliseconds: number): void;
}

/** A clock for tests: `createContext({ clock: fakeClock('2026-01-01T00:00:00Z') })`. Throws `RangeError` for an invalid date. */
export function fakeClock(start: string | number | Date): FakeClock {
  let now = new Date(start).getTime();
  if (Number.isNaN(now)) throw new RangeError(`Invalid date: ${start}.`);
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}
