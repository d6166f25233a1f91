import type { BodyWatch } from '#main/engine/ports/body-watch.ts';

/** Cells of the shared memory, each a 32-bit number. */
const cells = { computing: 0, seq: 1, ordinal: 2 } as const;

/** Identifies a body of a run: the record of its step, and its index within that step (a step may call whole flows). */
export interface BodyPlace {
  readonly seq: number;
  readonly ordinal: number;
}

/** Shared memory in which a thread reports its bodies to the watching thread. */
export const bodyCells = (): SharedArrayBuffer => new SharedArrayBuffer(Object.keys(cells).length * Int32Array.BYTES_PER_ELEMENT);

/** The side of the worker in which bodies run. */
export class BodyClock implements BodyWatch {
  readonly #cells: Int32Array;
  #overrun: readonly BodyPlace[];
  #seq = 0;
  #ordinal = 0;
  #entered = 0;

  /** `overrun`: bodies that exceeded their deadline in earlier, terminated threads. */
  constructor(shared: SharedArrayBuffer, overrun: readonly BodyPlace[]) {
    this.#cells = new Int32Array(shared);
    this.#overrun = overrun;
  }

  /**
   * The record up to which the run repeats what an earlier, terminated thread had already reported; null if there is nothing
   * to repeat.
   */
  get repeatsUpTo(): number | null {
    return this.#overrun.at(-1)?.seq ?? null;
  }

  /** Stores the last record of the run. */
  recorded(seq: number): void {
    this.#seq = seq + 1;
    this.#ordinal = 0;
    const last = this.repeatsUpTo;
    if (last !== null && seq >= last) this.repeated();
  }

  /** Marks everything from here as new. */
  repeated(): void {
    this.#overrun = [];
  }

  begin(): boolean {
    this.#ordinal += 1;
    if (this.#overrun.length === 0) return true;
    const at = this.#overrun.findIndex(({ seq, ordinal }) => seq === this.#seq && ordinal === this.#ordinal);
    if (at >= 0 && at === this.#overrun.length - 1) this.repeated();
    return at < 0;
  }

  enter(): void {
    // Never 0, which means that no body is running.
    this.#entered = (this.#entered + 1) & 0x3fffffff || 1;
    this.#cells[cells.seq] = this.#seq;
    this.#cells[cells.ordinal] = this.#ordinal;
    this.#cells[cells.computing] = this.#entered;
  }

  leave(): void {
    this.#cells[cells.computing] = 0;
  }
}

/** The watched worker thread. */
export interface WatchedThread {
  /** CPU time of the thread in microseconds. Not available in every supported Node. */
  cpuUsage?(): Promise<{ readonly user: number; readonly system: number }>;
}

/** Polling interval in milliseconds. */
const lookInterval = 250;

/** How long a body may compute without yielding before its thread is terminated, in milliseconds: its own limit of 5 s, which interrupts everything except built-in functions, plus one second. */
export const longestBody = 6000;

/** The side of the watching thread: reports a body that exceeds its deadline. */
export class BodyWatchdog {
  readonly #cells: Int32Array;
  readonly #thread: WatchedThread;
  readonly #onOverrun: (body: BodyPlace) => void;
  readonly #timer: NodeJS.Timeout;
  /** The body seen at the last poll, and the thread's time when it was first seen. */
  #seen: { readonly entered: number; readonly since: number } | undefined;
  #looking = false;

  constructor(shared: SharedArrayBuffer, thread: WatchedThread, onOverrun: (body: BodyPlace) => void) {
    this.#cells = new Int32Array(shared);
    this.#thread = thread;
    this.#onOverrun = onOverrun;
    this.#timer = setInterval(() => void this.#look(), lookInterval).unref();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const entered = Atomics.load(this.#cells, cells.computing);
    if (entered === 0) this.#seen = undefined;
    if (entered === 0 || this.#looking) return;
    this.#looking = true;
    try {
      const time = await this.#computed();
      if (this.#seen?.entered !== entered) this.#seen = { entered, since: time };
      if (time - this.#seen.since < longestBody || Atomics.load(this.#cells, cells.computing) !== entered) return;
      this.end();
      this.#onOverrun({ seq: Atomics.load(this.#cells, cells.seq), ordinal: Atomics.load(this.#cells, cells.ordinal) });
    } finally {
      this.#looking = false;
    }
  }

  /** CPU time of the thread in milliseconds, so that a busy machine does not shorten the deadline; wall time if CPU time is not available. */
  async #computed(): Promise<number> {
    const usage = await this.#thread.cpuUsage?.().catch(() => undefined);
    return usage ? (usage.user + usage.system) / 1000 : performance.now();
  }
}
