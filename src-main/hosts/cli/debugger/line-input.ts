import { createInterface } from 'node:readline';

/** Reads standard input line by line, from a terminal or a pipe. While it waits, a run that is held keeps its lease. */
export class LineInput implements Disposable {
  readonly #lines = createInterface({ input: process.stdin, terminal: false });
  readonly #next = this.#lines[Symbol.asyncIterator]();

  /** Returns the next line; null at the end of the input. */
  async next(): Promise<string | null> {
    const { value, done } = await this.#next.next();
    return done ? null : value.trim();
  }

  /** Stops reading, so that the process can exit. */
  [Symbol.dispose](): void {
    this.#lines.close();
  }
}
