import type { RunEvent } from '#shared/run/event.ts';
import { EventQueue, type Overflow } from './event-queue.ts';

/** How a run's events are read. */
export interface StreamOptions {
  /** What happens when the reader falls behind by 1,000 events. Default: `wait`. */
  readonly overflow?: Overflow;
  /** Whether `node_enter` and `node_exit` are yielded. Default: true for runs, false for chats. */
  readonly node_events?: boolean;
}

/** The events of a run while it is driven. Reading begins the drive; it can be read once. */
export class EventStream implements AsyncIterable<RunEvent> {
  /** @internal Called when the reader leaves before the end. */
  onLeave: () => void = () => {};
  readonly #begin: (stream: EventStream) => Promise<void>;
  readonly #queue: EventQueue;

  /** @internal Use `run.stream()`. */
  constructor(begin: (stream: EventStream) => Promise<void>, { overflow, node_events }: StreamOptions = {}) {
    this.#begin = begin;
    this.#queue = new EventQueue(overflow, node_events);
  }

  /** @internal */
  add(event: RunEvent): void {
    this.#queue.add(event);
  }

  /** @internal Resolves once the reader has caught up; undefined if it has. */
  room(): Promise<void> | undefined {
    return this.#queue.room();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void> {
    const queue = this.#queue;
    let ended = false;
    const drive = this.#begin(this).finally(() => {
      ended = true;
      queue.end();
    });
    // Whoever reads to the end gets its failure below.
    drive.catch(() => {});
    try {
      yield* queue.events();
      await drive;
    } finally {
      if (!ended) {
        this.onLeave();
        queue.close();
        await drive;
      }
    }
  }

  /** The same events as a web stream. */
  toReadable(): ReadableStream<RunEvent> {
    const events = this[Symbol.asyncIterator]();
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = await events.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await events.return();
      },
    });
  }
}
