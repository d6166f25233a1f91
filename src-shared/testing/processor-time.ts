/** What this file needs of Node's `process`, which the types of this layer do not contain. Times are in microseconds. */
interface ThreadClock {
  threadCpuUsage(): { readonly user: number; readonly system: number };
}

const { process } = globalThis as unknown as { readonly process: ThreadClock };

/**
 * Milliseconds of processor time that `work` takes in this thread. Time that other programs have the processor does not count, so a limit
 * holds on a busy machine, too.
 */
export function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const after = process.threadCpuUsage();
  return (after.user - before.user + after.system - before.system) / 1000;
}

/** The least of several times, which is that of compiled code. */
export function leastProcessorTime(work: () => unknown, rounds = 3): number {
  return Math.min(...Array.from({ length: rounds }, () => processorTime(work)));
}
