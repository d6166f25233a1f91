import type { RunEvent } from '#shared/run/event.ts';

/** Events that may wait for the reader before the next transition is held. */
const most = 256;

/** The events of a run while it is driven. Reading begins the drive; it can be read once. */
export class EventStream implements AsyncIterable<RunEvent> {
  /** @internal Called when the reader leaves before the end. */
  onLeave: () => void = () => {};
  readonly #begin: (stream: EventStream) => Promise<void>;
  readonly #waiting: RunEvent[] = [];
  #wakeReader: () => void = () => {};
  #wakeRun: () => void = () => {};
  #left = false;

  /** @internal Use `run.stream()`. */
  constructor(begin: (stream: EventStream) => Promise<void>) {
    this.#begin = begin;
  }

  /** @internal */
  add(event: RunEvent): void {
    if (this.#left) return;
    this.#waiting.push(event);
    this.#wakeReader();
  }

  /** @internal Resolves once the reader has caught up; undefined if it has. */
  room(): Promise<void> | undefined {
    if (this.#left || this.#waiting.length < most) return undefined;
    return new Promise((resolve) => {
      this.#wakeRun = resolve;
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void> {
    let ended = false;
    let failure: unknown;
    const drive = this.#begin(this).then(
      () => {
        ended = true;
        this.#wakeReader();
      },
      (error: unknown) => {
        failure = error;
        ended = true;
        this.#wakeReader();
      },
    );
    try {
      for (;;) {
        const event = this.#waiting.shift();
        if (event) {
          if (this.#waiting.length < most / 2) this.#wakeRun();
          yield event;
        } else if (ended) break;
        else
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
      }
      if (failure !== undefined) throw failure;
    } finally {
      if (!ended) {
        this.#left = true;
        this.onLeave();
        this.#wakeRun();
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
