import type { StreamName } from '#main/hosts/cli/output/terminal.ts';

const streams: readonly StreamName[] = ['stdout', 'stderr'];

/** Cells of the header. Positions count bytes since the start, modulo 2³². */
const [written, read, rung] = [0, 1, 2];
const headerBytes = 3 * Int32Array.BYTES_PER_ELEMENT;

/** Bytes of a frame before its text: the stream's index and the length. */
const prefixBytes = 5;

/** Bytes that a thread may print ahead of its reader. A power of two, so that positions may wrap around. */
const capacity = 1024 * 1024;
const longestText = capacity / 4;

/** Memory for a `RingWriter` and its `RingReader`. */
export function ringMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(headerBytes + capacity);
}

/**
 * The printing side of a command's thread. What it has written survives its termination, unlike a message that was not posted yet, and costs no message per
 * line. Waits while the ring is full.
 */
export class RingWriter {
  readonly #header: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #ring: () => void;

  /** `ring` tells the reader's thread to call `drain`. It is not called again before the reader has started to. */
  constructor(memory: SharedArrayBuffer, ring: () => void) {
    this.#header = new Int32Array(memory, 0, headerBytes / Int32Array.BYTES_PER_ELEMENT);
    this.#bytes = new Uint8Array(memory, headerBytes);
    this.#ring = ring;
  }

  write(stream: StreamName, text: string): void {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += longestText) this.#writeFrame(stream, bytes.subarray(start, start + longestText));
  }

  #writeFrame(stream: StreamName, text: Uint8Array): void {
    const start = Atomics.load(this.#header, written);
    this.#waitForRoom(start, prefixBytes + text.length);
    const prefix = Buffer.alloc(prefixBytes);
    prefix.writeUInt8(streams.indexOf(stream));
    prefix.writeUInt32LE(text.length, 1);
    this.#copy(start, prefix);
    this.#copy(start + prefixBytes, text);
    Atomics.store(this.#header, written, start + prefixBytes + text.length);
    if (Atomics.exchange(this.#header, rung, 1) === 0) this.#ring();
  }

  #waitForRoom(start: number, needed: number): void {
    for (;;) {
      const reader = Atomics.load(this.#header, read);
      if (capacity - distance(reader, start) >= needed) return;
      Atomics.wait(this.#header, read, reader);
    }
  }

  #copy(position: number, source: Uint8Array): void {
    const start = offsetOf(position);
    const first = Math.min(source.length, capacity - start);
    this.#bytes.set(source.subarray(0, first), start);
    this.#bytes.set(source.subarray(first), 0);
  }
}

/** The writing side in the main thread. */
export class RingReader {
  readonly #header: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #write: (stream: StreamName, bytes: Uint8Array) => void;

  constructor(memory: SharedArrayBuffer, write: (stream: StreamName, bytes: Uint8Array) => void) {
    this.#header = new Int32Array(memory, 0, headerBytes / Int32Array.BYTES_PER_ELEMENT);
    this.#bytes = new Uint8Array(memory, headerBytes);
    this.#write = write;
  }

  /** Passes on everything that has been printed, in order, texts of the same stream together. */
  drain(): void {
    Atomics.store(this.#header, rung, 0);
    const end = Atomics.load(this.#header, written);
    let position = Atomics.load(this.#header, read);
    let together: { stream: StreamName; parts: Uint8Array[] } = { stream: 'stdout', parts: [] };
    while (position !== end) {
      const prefix = Buffer.from(this.#copy(position, prefixBytes));
      const stream = streams[prefix.readUInt8()] ?? 'stderr';
      const length = prefix.readUInt32LE(1);
      if (together.stream !== stream) {
        if (together.parts.length > 0) this.#write(together.stream, Buffer.concat(together.parts));
        together = { stream, parts: [] };
      }
      together.parts.push(this.#copy(position + prefixBytes, length));
      position = (position + prefixBytes + length) | 0;
    }
    if (together.parts.length > 0) this.#write(together.stream, Buffer.concat(together.parts));
    Atomics.store(this.#header, read, position);
    Atomics.notify(this.#header, read);
  }

  /** A copy: the writer reuses the memory. */
  #copy(position: number, length: number): Uint8Array {
    const copy = new Uint8Array(length);
    const start = offsetOf(position);
    const first = Math.min(length, capacity - start);
    copy.set(this.#bytes.subarray(start, start + first));
    copy.set(this.#bytes.subarray(0, length - first), first);
    return copy;
  }
}

function offsetOf(position: number): number {
  return position & (capacity - 1);
}

/** Bytes from one position to a later one. */
function distance(from: number, to: number): number {
  return (to - from) >>> 0;
}
