import { availableParallelism } from 'node:os';

/**
 * How much slower this machine may be than a quiet one with four cores. Every time limit of the tests is multiplied by it, so that a limit
 * finds what hangs and never what is slow. `npm test -- --stress` sets PRAVAH_TEST_SLOWNESS.
 */
export const slowness: number = Number(process.env.PRAVAH_TEST_SLOWNESS) || slownessOf(availableParallelism());

/** The slowness of an idle machine with this number of cores. */
export function slownessOf(cores: number): number {
  return cores < 4 ? 2 : 1;
}
