/** Puts a value at the end of what a reader has not taken yet; may merge it with what waits there. */
export type Append<T> = (waiting: T[], value: T) => void;

interface Reader<T> {
  readonly waiting: T[];
  readonly append: Append<T>;
  wake: () => void;
}

export interface FeedOptions {
  /** What is told while nobody reads is kept for the next reader, instead of being lost. */
  readonly keep?: boolean;
}

/** Values told to everybody who reads at the moment. Telling never waits for a reader. */
export class Feed<T> {
  readonly #readers = new Set<Reader<T>>();
  readonly #keep: boolean;
  #kept: T[] = [];
  #ended = false;

  constructor({ keep = false }: FeedOptions = {}) {
    this.#keep = keep;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  publish(value: T): void {
    if (this.#keep && !this.hasReaders) this.#kept.push(value);
    for (const reader of this.#readers) {
      reader.append(reader.waiting, value);
      reader.wake();
    }
  }

  /** Ends all readings, those to come too. */
  end(): void {
    this.#ended = true;
    for (const reader of this.#readers) reader.wake();
  }

  /**
   * Reads what is told from this call on (not from the first `next`), until the feed ends or `signal` aborts. `append`
   * says how values pile up before a slow reader.
   */
  read(signal: AbortSignal | undefined, append: Append<T> = (waiting, value) => waiting.push(value)): AsyncGenerator<T, void> {
    const reader: Reader<T> = { waiting: this.#kept, append, wake: () => undefined };
    this.#kept = [];
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

/** Keeps the latest of values that tell of the same thing. */
export function latestBy<T>(keyOf: (value: T) => unknown): Append<T> {
  return (waiting, value) => {
    const same = waiting.findIndex((other) => keyOf(other) === keyOf(value));
    if (same >= 0) waiting.splice(same, 1);
    waiting.push(value);
  };
}
