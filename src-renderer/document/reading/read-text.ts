import { unpackFlow } from '#shared/flow/packed-flow.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import type { ReadAnswer, ReadRequest } from './read-text.worker.ts';

/** Texts with fewer characters are read faster than they are handed over. */
const short = 20_000;

/** What the page reads itself leaves a mark with this name, which tests and profiles of the page look at. */
const mark = 'pravah-read-text';

/** A text that the worker is reading. */
interface Pending {
  readonly request: ReadRequest;
  resolve(flow: ParsedFlow): void;
}

const pending = new Map<number, Pending>();
let worker: Worker | null = null;
let isBroken = false;
let last = 0;

/** Reads the text of a flow that is not open, in a worker unless it is short. Reading a large flow here would freeze the page. */
export function readText(text: string, path: string): Promise<ParsedFlow> {
  if (text.length < short || isBroken) return Promise.resolve(readHere({ text, path }));
  return new Promise((resolve) => {
    last += 1;
    const request = { id: last, text, path };
    pending.set(request.id, { request, resolve });
    worker ??= started();
    worker.postMessage(request);
  });
}

function started(): Worker {
  const own = new Worker(new URL('./read-text.worker.ts', import.meta.url), { type: 'module' });
  own.addEventListener('message', ({ data: { id, flow } }: MessageEvent<ReadAnswer>) => {
    pending.get(id)?.resolve(unpackFlow(flow));
    pending.delete(id);
  });
  // A worker that cannot be loaded, or has run out of memory: the page can still read, only not at the same time.
  own.addEventListener('error', () => {
    isBroken = true;
    for (const { request, resolve } of pending.values()) resolve(readHere(request));
    pending.clear();
  });
  return own;
}

function readHere({ text, path }: Omit<ReadRequest, 'id'>): ParsedFlow {
  performance.mark(mark, { detail: text.length });
  return parseFlow(text, path);
}
