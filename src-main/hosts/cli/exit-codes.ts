import type { EndStatus } from '#shared/runtime/event.ts';

/** What the process answers: 0 done, 1 failed, 2 invalid flow or usage, 3 suspended, 4 paused, 130 cancelled. */
export const exitCodes = { success: 0, error: 1, suspended: 3, paused: 4, cancelled: 130 } as const satisfies Record<EndStatus, number>;

/** Exit code for a flow that does not build and for words on the command line that make no sense. */
export const usageExitCode = 2;

/** A mistake on the command line: told in one line, exit code 2. */
export class UsageError extends Error {}
