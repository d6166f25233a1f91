/** Appends a value to a reader's backlog; may merge it with the values there. */
export type Append<T> = (waiting: T[], value: T) => void;

interface Reader<T> {
  readonly waiting: T[];
  readonly append: Append<T>;
  wake: () => void;
}

export interface FeedOptions {
  /** Values published without a reader are buffered for the next reader. */
  readonly keep?: boolean;
}

/** A broadcast of values to all current readers. Publishing never waits for a reader. */
export class Feed<T> {
  readonly #readers = new Set<Reader<T>>();
  readonly #keep: boolean;
  #unread: T[] = [];
  #ended = false;

  constructor({ keep = false }: FeedOptions = {}) {
    this.#keep = keep;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  publish(value: T): void {
    if (this.#keep && !this.hasReaders) this.#unread.push(value);
    for (const reader of this.#readers) {
      reader.append(reader.waiting, value);
      reader.wake();
    }
  }

  /** Ends all current and future readings. */
  end(): void {
    this.#ended = true;
    for (const reader of this.#readers) reader.wake();
  }

  /**
   * Reads the values published from this call on (not from the first `next`), until the feed ends or `signal` aborts. `append`
   * defines how the backlog of a slow reader grows.
   */
  read(signal: AbortSignal | undefined, append: Append<T> = (waiting, value) => waiting.push(value)): AsyncGenerator<T, void> {
    const reader: Reader<T> = { waiting: this.#unread, append, wake: () => undefined };
    this.#unread = [];
    this.#readers.add(reader);
    const leave = () => {
      this.#readers.delete(reader);
      reader.wake();
    };
    signal?.addEventListener('abort', leave, { once: true });
    return this.#take(reader, signal, leave);
  }

  async *#take(reader: Reader<T>, signal: AbortSignal | undefined, leave: () => void): AsyncGenerator<T, void> {
    try {
      while (!signal?.aborted) {
        const value = reader.waiting.shift();
        if (value !== undefined) {
          yield value;
          continue;
        }
        if (this.#ended) return;
        await new Promise<void>((resolve) => {
          reader.wake = resolve;
        });
      }
    } finally {
      signal?.removeEventListener('abort', leave);
      leave();
    }
  }
}

/** Keeps only the latest value per key. */
export function latestBy<T>(keyOf: (value: T) => unknown): Append<T> {
  return (waiting, value) => {
    const same = waiting.findIndex((other) => keyOf(other) === keyOf(value));
    if (same >= 0) waiting.splice(same, 1);
    waiting.push(value);
  };
}
