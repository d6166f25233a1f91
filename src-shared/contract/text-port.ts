/**
 * One end of a connection that carries the contract's calls and streams as text messages, in order. Electron's
 * MessagePorts and the web host's pair of HTTP requests both are one; either end sees `close` once.
 */
export interface TextPort {
  postMessage(text: string): void;
  on(event: string, listener: (event?: { readonly data: string }) => void): void;
  close(): void;
}

/** The end that serves: it knows how far its reader has come. */
export interface ServingTextPort extends TextPort {
  /** Resolves when the reader has taken most of what was sent, so that a stream never piles up before a slow page. */
  drained(): Promise<void>;
}

/** What DOM, Node and Electron's main process have in common of their MessagePorts, after `listenTo`. */
export interface MessagePortLike {
  postMessage(data: string): void;
  start(): void;
  close(): void;
}

/** Hears `message` and `close` of a port that speaks DOM's (`addEventListener`) or Electron's (`on`) dialect. */
export type ListenTo = (event: 'message' | 'close', listener: (event?: { readonly data: unknown }) => void) => void;

/** Messages that may be on their way to a page before its streams wait for it. */
const windowSize = 256;
/** A reader says so each time it has taken this many messages. */
const reportEvery = 64;
/** A report is `+` and a number; every other message is JSON and begins with `{`. */
const reportPattern = /^\+\d{1,6}$/;

/** The page's end of a MessagePort. It reports how many messages it has taken. */
export function readingPort(port: MessagePortLike, listenTo: ListenTo): TextPort {
  let taken = 0;
  const listeners = new Listeners();
  listenTo('message', (event) => {
    if (typeof event?.data !== 'string') return;
    taken += 1;
    if (taken === reportEvery) {
      port.postMessage(`+${taken}`);
      taken = 0;
    }
    listeners.emit('message', { data: event.data });
  });
  listenTo('close', () => listeners.close());
  port.start();
  return {
    postMessage(text) {
      listeners.throwIfClosed();
      port.postMessage(text);
    },
    on: (event, listener) => listeners.add(event, listener),
    close() {
      port.close();
      listeners.close();
    },
  };
}

/** The services' end of a MessagePort. Messages that are not text are dropped: no page of ours sends any. */
export function servingPort(port: MessagePortLike, listenTo: ListenTo): ServingTextPort {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  const listeners = new Listeners();
  listenTo('message', (event) => {
    if (typeof event?.data !== 'string') return;
    if (reportPattern.test(event.data)) {
      underWay = Math.max(0, underWay - Number(event.data));
      if (underWay < windowSize) wake();
      return;
    }
    listeners.emit('message', { data: event.data });
  });
  const closed = () => {
    underWay = 0;
    wake();
    listeners.close();
  };
  listenTo('close', closed);
  port.start();
  return {
    postMessage(text) {
      underWay += 1;
      port.postMessage(text);
    },
    on: (event, listener) => listeners.add(event, listener),
    close() {
      port.close();
      closed();
    },
    drained: () => (underWay < windowSize ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

type Listener = (event?: { readonly data: string }) => void;

/** Listeners of one port by event. `close` is emitted once, also to listeners that are added later. */
export class Listeners {
  readonly #byEvent = new Map<string, Listener[]>();
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  /** For a page's end: what is sent into nothing would wait for its answer for ever. */
  throwIfClosed(): void {
    if (this.#closed) throw new Error('The connection has ended.');
  }

  add(event: string, listener: Listener): void {
    this.#byEvent.set(event, [...(this.#byEvent.get(event) ?? []), listener]);
    if (event === 'close' && this.#closed) listener();
  }

  emit(event: string, detail: { readonly data: string }): void {
    for (const listener of this.#byEvent.get(event) ?? []) listener(detail);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const listener of this.#byEvent.get('close') ?? []) listener();
  }
}
