import type { RunEvent } from '#shared/runtime/event.ts';

/** How long events are gathered before they are told, in milliseconds: about one frame of a screen. */
const gatherTime = 16;

/** How many events are told at once before the rest of that time's are gathered: a body that computes long must not hold back what led to it. */
const toldAtOnce = 50;

/** How many events are gathered. When more come in that time, their reader is told to read the journal instead. */
const gatherLimit = 1000;

/**
 * Tells events: at once while they are few, together once they are many, so that a fast run costs its readers few messages a frame. A run never waits for
 * its readers: what is too much is told as one `gap`.
 */
export class EventBatch {
  readonly #tell: (events: readonly RunEvent[]) => void;
  #events: RunEvent[] = [];
  /** What was left out since the last telling. */
  #gap: { from: number; to: number } | undefined;
  #since = Number.NEGATIVE_INFINITY;
  #told = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer is to fire, on the clock of `performance`. */
  #due = Number.POSITIVE_INFINITY;

  constructor(tell: (events: readonly RunEvent[]) => void) {
    this.#tell = tell;
  }

  add(event: RunEvent): void {
    const now = performance.now();
    if (now - this.#since > gatherTime) {
      this.#since = now;
      this.#told = 0;
    }
    this.#events.push(event);
    this.#told += 1;
    if (this.#events.length >= gatherLimit) this.#leaveOut();
    if (this.#told <= toldAtOnce) this.flush();
    else if (!this.#timer) {
      this.#timer = setTimeout(() => this.flush(), gatherTime);
      this.#due = now + gatherTime;
    }
  }

  /** Tells what is due. For whoever computes so long that no timer has its turn: else the start of a long body would be told at its end. */
  tellDue(): void {
    if (performance.now() >= this.#due) this.flush();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due = Number.POSITIVE_INFINITY;
    const first = this.#events[0];
    if (!first) return;
    const { run_id, timestamp } = first;
    const gap: RunEvent[] = this.#gap ? [{ type: 'gap', run_id, seq: this.#gap.to, timestamp, ...this.#gap }] : [];
    const events = [...gap, ...this.#events];
    this.#events = [];
    this.#gap = undefined;
    this.#tell(events);
  }

  /** Keeps the last event only, which says where the run is. */
  #leaveOut(): void {
    const left = this.#events.splice(0, this.#events.length - 1);
    this.#gap = { from: this.#gap?.from ?? left[0]?.seq ?? 0, to: left.at(-1)?.seq ?? 0 };
  }
}
