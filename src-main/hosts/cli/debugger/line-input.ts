import { readSync } from 'node:fs';

/** How long to wait for input that is not there yet, in milliseconds. */
const pause = 20;

/**
 * Reads standard input line by line, from a terminal or a pipe. It blocks its thread: between two commands the debugger has nothing else to do, and the
 * main thread still handles signals.
 */
export class LineInput {
  #buffered = '';
  #ended = false;
  readonly #decoder = new TextDecoder();

  /** Returns the next line; null at the end of the input. */
  next(): string | null {
    const chunk = new Uint8Array(4096);
    for (;;) {
      const end = this.#buffered.indexOf('\n');
      if (end >= 0) {
        const line = this.#buffered.slice(0, end);
        this.#buffered = this.#buffered.slice(end + 1);
        return line.trim();
      }
      if (this.#ended) {
        const rest = this.#buffered.trim();
        this.#buffered = '';
        return rest === '' ? null : rest;
      }
      const read = readNow(chunk);
      if (read === 0) this.#ended = true;
      else if (read > 0) this.#buffered += this.#decoder.decode(chunk.subarray(0, read), { stream: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
}

/** Returns the number of bytes read; 0 at the end, -1 if there are none yet. */
function readNow(chunk: Uint8Array): number {
  try {
    return readSync(0, chunk, 0, chunk.length, null);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EAGAIN') return -1;
    if (code === 'EOF') return 0;
    throw error;
  }
}
