/** How long a journal operation waits for other processes' locks, in milliseconds. */
export const longestLockWait = 60_000;

/** How long one attempt waits inside SQLite. SQLite's waiting is not fair, so an attempt times out and is retried after a random pause. */
export const lockAttempt = 3_000;

/** Maximum pause between two attempts, in milliseconds. */
const longestPause = 50;

const sleeping = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

let report: () => void = () => undefined;

/** Calls `listener` whenever this thread waits for another process's lock for longer than one attempt. */
export function onLockWait(listener: () => void): void {
  report = listener;
}

export interface LockWait {
  /** Milliseconds. */
  readonly wait?: number | undefined;
  /** False once the action has begun to change something. */
  readonly mayRepeat?: () => boolean;
}

/** Retries an action while another process holds the journal's lock. Throws what the last attempt threw. */
export function waitingForLock<Result>(action: () => Result, { wait = longestLockWait, mayRepeat = () => true }: LockWait = {}): Result {
  const deadline = performance.now() + wait;
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline || !mayRepeat()) throw error;
      report();
      Atomics.wait(sleeping, 0, 0, Math.random() * longestPause);
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
