import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { Listeners, type ServingTextPort } from '#shared/contract/text-port.ts';

const messagesSchema = z.array(z.string());

interface OpenPort {
  readonly pageToken: string;
  readonly listeners: Listeners;
  readonly end: () => void;
}

/** The open ports of all pages. A port lives as long as the response that streams its messages. */
export class HttpPorts {
  readonly #open = new Map<string, OpenPort>();

  /** Creates a port on `response`, which stays open. */
  open(pageToken: string, response: ServerResponse): ServingTextPort {
    const id = randomUUID();
    const listeners = new Listeners();
    const end = () => {
      response.end();
      this.#open.delete(id);
      listeners.close();
    };
    this.#open.set(id, { pageToken, listeners, end });
    response.on('close', end);
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
    response.write(`${JSON.stringify({ port: id })}\n`);
    return {
      postMessage: (text) => {
        response.write(`${JSON.stringify(text)}\n`);
      },
      on: (event, listener) => listeners.add(event, listener),
      close: end,
      drained: () => drained(response),
    };
  }

  /** Whether a page has this port. Checked before a body is read. */
  has(id: string, pageToken: string): boolean {
    return this.#open.get(id)?.pageToken === pageToken;
  }

  /** Delivers messages from the page to its port. Returns false if the port is not open or `body` is not a list of messages. */
  receive(id: string, pageToken: string, body: string): boolean {
    const port = this.#open.get(id);
    if (port?.pageToken !== pageToken) return false;
    const messages = parseMessages(body);
    for (const data of messages ?? []) port.listeners.emit('message', { data });
    return messages !== null;
  }

  closeAll(): void {
    for (const port of [...this.#open.values()]) port.end();
  }
}

function parseMessages(body: string): readonly string[] | null {
  try {
    return messagesSchema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}

function drained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
