/**
 * Reports to another thread when bodies compute, so that it can end this one: inside a function of the virtual machine's own, nothing in this thread
 * can interrupt a body. Called for every body, so each call is a store or two into shared memory.
 */
export interface BodyWatch {
  /** A body is about to begin. False for one that has overrun its time in a thread that was ended: it fails without being run again. */
  begin(): boolean;
  /** The body computes from now on, … */
  enter(): void;
  /** … until now: it has ended, or waits for a tool. */
  leave(): void;
}
