import type { LogLine } from './stop-at.ts';

/** Most lines of log points in a second. */
const linesPerSecond = 1000;
const second = 1000;

/** Passes on the lines of log points: at most 1,000 in a second, then one line with the number of those left out. */
export class LogLimit {
  readonly #emit: (line: LogLine) => void;
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #last: LogLine | undefined;

  /** `now` is in milliseconds. */
  constructor(emit: (line: LogLine) => void, now: () => number) {
    this.#emit = emit;
    this.#now = now;
  }

  log(line: LogLine): void {
    const now = this.#now();
    if (now - this.#since >= second) {
      this.flush();
      this.#since = now;
      this.#lines = 0;
    }
    this.#lines += 1;
    this.#last = line;
    if (this.#lines <= linesPerSecond) this.#emit(line);
  }

  /** Reports the lines that were left out since the last report. */
  flush(): void {
    const more = this.#lines - linesPerSecond;
    if (more <= 0 || !this.#last) return;
    this.#emit({ ...this.#last, text: `${more} more ${more === 1 ? 'log line was' : 'log lines were'} left out in one second.` });
    this.#lines = linesPerSecond;
  }
}
