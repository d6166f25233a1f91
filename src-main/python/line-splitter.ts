const newline = 0x0a;

/** Splits a stream of bytes into lines. Bytes of a line beyond `most` are not kept; `onLong` is called once for it. */
export class LineSplitter {
  readonly #most: number;
  readonly #onLine: (line: string) => void;
  readonly #onLong: () => void;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(most: number, onLine: (line: string) => void, onLong: () => void = () => undefined) {
    this.#most = most;
    this.#onLine = onLine;
    this.#onLong = onLong;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      this.flush(true);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Reports what is left as a line. */
  flush(isWhole = false): void {
    if (!isWhole && this.#length === 0) return;
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    this.#onLine(line.toString('utf8'));
  }

  #keep(bytes: Buffer): void {
    const room = this.#most - this.#length;
    if (bytes.length > 0 && room > 0) this.#parts.push(bytes.subarray(0, room));
    if (room >= 0 && bytes.length > room) this.#onLong();
    this.#length = Math.min(this.#most + 1, this.#length + bytes.length);
  }
}
