import type { EndStatus } from '#shared/run/event.ts';

/** Exit codes of the process: 0 done, 1 failed, 2 invalid flow or usage, 3 suspended, 4 paused, 130 cancelled. */
export const exitCodes = { success: 0, error: 1, suspended: 3, paused: 4, cancelled: 130 } as const satisfies Record<EndStatus, number>;

/** Exit code for an invalid flow or an invalid command line. */
export const usageExitCode = 2;

/** Thrown for an invalid command line: printed on one line, exit code 2. */
export class UsageError extends Error {}
