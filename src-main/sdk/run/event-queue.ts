import type { RunEvent } from '#shared/run/event.ts';

/** Events that wait for their reader at most. */
const most = 1000;

/**
 * What happens when a reader falls behind. `wait`: the run waits for it, between transitions and between the chunks of a model's answer. `gap`: the run
 * never waits, and events that have no room are replaced with one `gap` event.
 */
export type Overflow = 'wait' | 'gap';

/** Events that are read while they happen. At most 1,000 wait for their reader. */
export class EventQueue {
  readonly #overflow: Overflow;
  #waiting: RunEvent[] = [];
  #gap: { readonly from: number; readonly to: number } | undefined;
  #ended = false;
  #closed = false;
  #wakeReader: () => void = () => {};
  #room: PromiseWithResolvers<void> | undefined;

  readonly #nodeEvents: boolean;

  /** `nodeEvents`: whether `node_enter` and `node_exit` are read, too. */
  constructor(overflow: Overflow = 'wait', nodeEvents = true) {
    this.#overflow = overflow;
    this.#nodeEvents = nodeEvents;
  }

  add(event: RunEvent): void {
    if (this.#closed || (!this.#nodeEvents && (event.type === 'node_enter' || event.type === 'node_exit'))) return;
    if (this.#waiting.length >= most && this.#overflow === 'gap') this.#leaveOut();
    this.#waiting.push(event);
    this.#wakeReader();
  }

  /** Resolves once the reader has caught up or has left; undefined if there is room. */
  room(): Promise<void> | undefined {
    if (this.#overflow === 'gap' || this.#closed || this.#waiting.length < most) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** Nothing is added any more: the reader gets what is left. */
  end(): void {
    this.#ended = true;
    this.#wakeReader();
  }

  /** The reader has left: what is left is dropped, and nothing waits for it any more. */
  close(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#makeRoom();
  }

  async *events(): AsyncGenerator<RunEvent, void> {
    for (;;) {
      const event = this.#next();
      if (event) yield event;
      else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    }
  }

  #next(): RunEvent | undefined {
    const next = this.#waiting[0];
    if (this.#gap && next && next.type !== 'init_stream') {
      const gap: RunEvent = { type: 'gap', run_id: next.run_id, seq: this.#gap.to, timestamp: next.timestamp, ...this.#gap };
      this.#gap = undefined;
      return gap;
    }
    const event = this.#waiting.shift();
    if (this.#waiting.length < most / 2) this.#makeRoom();
    return event;
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  /** Drops what waits, the beginning of the stream excepted. */
  #leaveOut(): void {
    const [first, ...others] = this.#waiting;
    const begins = first?.type === 'init_stream';
    const left = begins ? others : this.#waiting;
    this.#waiting = begins ? [first] : [];
    this.#gap = { from: this.#gap?.from ?? left[0]?.seq ?? 0, to: left.at(-1)?.seq ?? 0 };
  }
}
