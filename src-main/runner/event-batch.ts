import type { RunEvent } from '#shared/run/event.ts';

/** How long events are batched before they are emitted, in milliseconds: about one frame. */
const gatherTime = 16;

/** How many events are emitted immediately before batching starts: a long-running body must not hold back what led to it. */
const immediateEvents = 50;

/** Maximum batch size. Beyond it, the reader receives a `gap` and reads the journal instead. */
const gatherLimit = 1000;

/**
 * Emits events: immediately while they are few, batched once they are many, so that a fast run sends few messages per frame. A run never waits for
 * its readers: excess events are replaced with one `gap`.
 */
export class EventBatch {
  readonly #emit: (events: readonly RunEvent[]) => void;
  #events: RunEvent[] = [];
  /** The gap since the last emission. */
  #gap: { from: number; to: number } | undefined;
  #since = Number.NEGATIVE_INFINITY;
  #emitted = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer is due, on the `performance` clock. */
  #due = Number.POSITIVE_INFINITY;

  constructor(emit: (events: readonly RunEvent[]) => void) {
    this.#emit = emit;
  }

  add(event: RunEvent): void {
    const now = performance.now();
    if (now - this.#since > gatherTime) {
      this.#since = now;
      this.#emitted = 0;
    }
    this.#events.push(event);
    this.#emitted += 1;
    if (this.#events.length >= gatherLimit) this.#leaveOut();
    if (this.#emitted <= immediateEvents) this.flush();
    else if (!this.#timer) {
      this.#timer = setTimeout(() => this.flush(), gatherTime);
      this.#due = now + gatherTime;
    }
  }

  /** Emits what is due. Call during long computations that block timers; otherwise the start of a long body would be emitted at its end. */
  flushDue(): void {
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
    this.#emit(events);
  }

  /** Keeps only the last event, which shows the run's position. */
  #leaveOut(): void {
    const left = this.#events.splice(0, this.#events.length - 1);
    this.#gap = { from: this.#gap?.from ?? left[0]?.seq ?? 0, to: left.at(-1)?.seq ?? 0 };
  }
}
