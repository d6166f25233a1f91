import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { RequestProblem } from './problems.ts';

/** Interval of comments that keep a connection open, in milliseconds. */
const heartbeat = 15_000;
/** How long a stream lasts, in milliseconds; then its reader connects again. */
const longest = 15 * 60 * 1000;
/** How long a reader may take nothing before it is cut, in milliseconds. */
const patience = 60_000;
/** How long readers may take to be told that the server stops, in milliseconds. */
const farewell = 2000;
/** When a reader is to connect again, in milliseconds. */
const retryAfter = 1000;
/** The most characters that are written at once. */
const longestBunch = 64 * 1024;
const streamsOfToken = 100;
const streamsOfProcess = 5000;

/** One event of a stream. `id` is where a reader continues that has received it; absent where nothing can be continued. */
export interface StreamEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

/** Why a stream ends: its run has ended, the server stops, it lasted long enough, or its token was revoked. */
type StreamEnding = 'ended' | 'stopping' | 'timeout' | 'revoked';

interface OpenStream {
  readonly tokenId: string;
  readonly end: (reason: StreamEnding) => void;
  /** Resolves when the connection is closed. */
  readonly told: Promise<void>;
}

export interface EventStreamRequest {
  readonly response: ServerResponse;
  readonly tokenId: string;
  /** Data of the first event, `connected`. */
  readonly connected: object;
  /** The events, until `signal` aborts. */
  readonly events: (signal: AbortSignal) => AsyncIterable<StreamEvent>;
}

/** The streams of a server, as server-sent events. Writing never waits for another reader, and a slow reader only delays itself. */
export class EventStreams {
  readonly #open = new Set<OpenStream>();
  #ending = false;

  /** Number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /** Ids of the tokens that have streams. */
  get tokenIds(): ReadonlySet<string> {
    return new Set([...this.#open].map(({ tokenId }) => tokenId));
  }

  /** Ends the streams of a revoked token. */
  revoke(tokenId: string): void {
    for (const stream of this.#open) if (stream.tokenId === tokenId) stream.end('revoked');
  }

  /** Ends all streams; new ones are refused. Resolves when their readers have been told, or after 2 s. */
  async end(): Promise<void> {
    this.#ending = true;
    const told = [...this.#open].map(({ told }) => told);
    for (const stream of this.#open) stream.end('stopping');
    const late = new AbortController();
    await Promise.race([Promise.all(told), wait(farewell, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
  }

  /** Sends a stream until it ends or its reader goes. Throws `RequestProblem` if there are too many streams. */
  async send({ response, tokenId, connected, events }: EventStreamRequest): Promise<void> {
    this.#assertRoom(tokenId);
    const abort = new AbortController();
    let reason: StreamEnding | null = null;
    const closed = Promise.withResolvers<void>();
    const stream: OpenStream = {
      tokenId,
      told: closed.promise,
      end: (why) => {
        reason ??= why;
        abort.abort();
      },
    };
    this.#open.add(stream);
    response.on('close', () => {
      closed.resolve();
      abort.abort();
    });
    const writer = new BunchedWriter(response);
    const lifetime = setTimeout(() => stream.end('timeout'), longest);
    const beat = setInterval(() => response.write(': still here\n\n'), heartbeat);
    try {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      response.write(`retry: ${retryAfter}\nevent: connected\ndata: ${JSON.stringify(connected)}\n\n`);
      for await (const event of events(abort.signal)) {
        if (abort.signal.aborted) break;
        if (writer.write(encode(event))) continue;
        writer.flush();
        if (response.writableNeedDrain) await this.#drained(response, abort);
      }
      writer.flush();
      if (!response.destroyed) {
        const data = JSON.stringify({ reason: reason ?? 'ended', retry_ms: retryAfter });
        response.end(`event: disconnecting\ndata: ${data}\n\n`);
      }
    } finally {
      clearTimeout(lifetime);
      clearInterval(beat);
      this.#open.delete(stream);
      abort.abort();
    }
  }

  #assertRoom(tokenId: string): void {
    if (this.#ending) throw new RequestProblem(503, 'SERVER_STOPPING', 'The server is stopping.', { headers: { 'retry-after': '1' } });
    const own = [...this.#open].filter((stream) => stream.tokenId === tokenId).length;
    if (own >= streamsOfToken || this.#open.size >= streamsOfProcess)
      throw new RequestProblem(429, 'TOO_MANY_STREAMS', `A token may have ${streamsOfToken} streams, and the server ${streamsOfProcess}.`, {
        headers: { 'retry-after': '5' },
      });
  }

  /** Waits until a reader has room again, and cuts it if that takes too long. */
  async #drained(response: ServerResponse, abort: AbortController): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([abort.signal, over.signal]);
    const drained = await Promise.race([once(response, 'drain', { signal }).then(() => true), wait(patience, false, { signal })]).catch(
      () => true,
    );
    over.abort();
    if (!drained) response.destroy();
  }
}

/** Writes to a reader what comes within one turn of the event loop at once: events come in bunches, and many readers make each write dear. */
class BunchedWriter {
  readonly #response: ServerResponse;
  #text = '';
  #flushing: NodeJS.Immediate | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Returns false if the reader has no room: wait until it has before writing more. */
  write(text: string): boolean {
    this.#text += text;
    this.#flushing ??= setImmediate(() => this.flush());
    return !this.#response.writableNeedDrain && this.#text.length < longestBunch;
  }

  flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    const text = this.#text;
    this.#text = '';
    if (text !== '' && !this.#response.destroyed) this.#response.write(text);
  }
}

function encode({ id, event, data }: StreamEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}
