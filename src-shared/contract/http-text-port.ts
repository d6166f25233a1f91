import { httpPort } from './http-port.ts';
import { Listeners, type TextPort } from './text-port.ts';

/** The two kinds of request that form a port, implemented with `fetch`. Both throw if the host does not answer or rejects the page. */
export interface HttpExchange {
  /** POSTs and streams the response line by line. `cancel` ends it. */
  readonly open: (path: string) => Promise<{ readonly lines: AsyncIterable<string>; readonly cancel: () => void }>;
  /** POSTs a body. */
  readonly send: (path: string, body: string) => Promise<void>;
}

/** Opens the page's end of a port to the web host. Messages are sent in order, all that wait in one request. */
export async function openHttpTextPort(exchange: HttpExchange): Promise<TextPort> {
  const { lines, cancel } = await exchange.open(httpPort.openPath);
  const received = lines[Symbol.asyncIterator]();
  const opened = await received.next();
  if (opened.done) throw new Error('The studio ended the connection at once.');
  const sendPath = httpPort.sendPrefix + (JSON.parse(opened.value) as { port: string }).port;
  const listeners = new Listeners();
  const close = () => {
    cancel();
    listeners.close();
  };

  let queue: string[] = [];
  let sending = false;
  const flush = async () => {
    if (sending) return;
    sending = true;
    while (queue.length > 0 && !listeners.closed) {
      const messages = queue;
      queue = [];
      await exchange.send(sendPath, JSON.stringify(messages)).catch(close);
    }
    sending = false;
  };
  const receive = async () => {
    for (let line = await received.next(); !line.done; line = await received.next()) {
      listeners.emit('message', { data: JSON.parse(line.value) as string });
    }
  };
  receive().then(close, close);

  return {
    postMessage(text) {
      listeners.throwIfClosed();
      queue.push(text);
      void flush();
    },
    on: (event, listener) => listeners.add(event, listener),
    close,
  };
}

/** Splits chunks of text into lines; text after the last line break is not a line. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
