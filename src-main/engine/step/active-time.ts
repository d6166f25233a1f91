import type { Context } from '#main/engine/ports/context.ts';

/** The time of day without the time for which the run was held, in milliseconds. Differences of it are durations. */
export function activeTime({ clock }: Context): number {
  return clock.held === undefined ? clock.now() : clock.now() - clock.held();
}
