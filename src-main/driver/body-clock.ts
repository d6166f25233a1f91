import type { BodyWatch } from '#main/runtime/body-watch.ts';

/** Cells of the shared memory, each a 32-bit number. */
const cells = { computing: 0, seq: 1, ordinal: 2 } as const;

/** Which body of a run: the record that its step will become, and the how-manieth body of that step it is (a step may call whole flows). */
export interface BodyPlace {
  readonly seq: number;
  readonly ordinal: number;
}

/** Memory through which a thread reports its bodies to the thread that watches it. */
export const bodyCells = (): SharedArrayBuffer => new SharedArrayBuffer(Object.keys(cells).length * Int32Array.BYTES_PER_ELEMENT);

/** The side of the thread in which bodies run. */
export class BodyClock implements BodyWatch {
  readonly #cells: Int32Array;
  #overrun: readonly BodyPlace[];
  #seq = 0;
  #ordinal = 0;
  #entered = 0;

  /** `overrun`: bodies that overran their time in threads before this one, which were ended. */
  constructor(shared: SharedArrayBuffer, overrun: readonly BodyPlace[]) {
    this.#cells = new Int32Array(shared);
    this.#overrun = overrun;
  }

  /**
   * The record up to which the run does again what a thread before this one had done and reported, in which a body overran its time; null when there
   * is nothing to do again.
   */
  get repeatsUpTo(): number | null {
    return this.#overrun.at(-1)?.seq ?? null;
  }

  /** Notes the last record of the run. */
  recorded(seq: number): void {
    this.#seq = seq + 1;
    this.#ordinal = 0;
    const last = this.repeatsUpTo;
    if (last !== null && seq >= last) this.repeated();
  }

  /** From now on, what the run does is new. */
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
    // Never 0, which says that nothing computes.
    this.#entered = (this.#entered + 1) & 0x3fffffff || 1;
    this.#cells[cells.seq] = this.#seq;
    this.#cells[cells.ordinal] = this.#ordinal;
    this.#cells[cells.computing] = this.#entered;
  }

  leave(): void {
    this.#cells[cells.computing] = 0;
  }
}

/** What is watched: a worker thread. */
export interface WatchedThread {
  /** Processor time of the thread in microseconds. Not in every Node that runs this. */
  cpuUsage?(): Promise<{ readonly user: number; readonly system: number }>;
}

/** How often a thread is looked at, in milliseconds. */
const lookInterval = 250;

/** What a body may compute in one go before its thread is ended, in milliseconds: its own limit of 5 s, which ends all but built-in functions, and a second more. */
export const longestBody = 6000;

/** The side of the watching thread: reports a body that computes for too long. */
export class BodyWatchdog {
  readonly #cells: Int32Array;
  readonly #thread: WatchedThread;
  readonly #onOverrun: (body: BodyPlace) => void;
  readonly #timer: NodeJS.Timeout;
  /** The body that was computing when it was looked at last, and the thread's time when it was first seen. */
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

  /** Processor time of the thread, so that a busy machine takes nothing from a body; where that cannot be found out, the clock's. In milliseconds. */
  async #computed(): Promise<number> {
    const usage = await this.#thread.cpuUsage?.().catch(() => undefined);
    return usage ? (usage.user + usage.system) / 1000 : performance.now();
  }
}
