import type { MessagePort } from 'node:worker_threads';
import type { JsonObject } from '#shared/json.ts';
import { FlowError, fromTransferable, type TransferableError, toTransferable } from '#shared/run/error.ts';
import type { McpAccess } from './access.ts';
import type { McpCall, McpOffer } from './connection.ts';
import type { McpAnswer, McpOutcome } from './pending-call.ts';

/** Requests of a run's thread to the thread that owns the servers. `id` identifies the request. */
type Request = { readonly id: number; readonly server: string } & (
  | { readonly type: 'offer' }
  | { readonly type: 'call'; readonly key: string; readonly tool: string; readonly input: JsonObject }
  | { readonly type: 'answer'; readonly key: string; readonly answer: McpAnswer }
  | { readonly type: 'cancel' }
);

type Reply = { readonly id: number } & (
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'done'; readonly result: McpOffer | McpOutcome | null }
  | { readonly type: 'failed'; readonly error: TransferableError }
);

/** Shares this thread's servers through a port. Pending requests end when the port closes; questions stay open. */
export function shareServers(port: MessagePort, servers: McpAccess): void {
  const inFlight = new Map<number, AbortController>();
  const post = (reply: Reply) => port.postMessage(reply);
  const perform = (request: Exclude<Request, { type: 'cancel' }>, signal: AbortSignal): Promise<McpOffer | McpOutcome | null> => {
    const { id, server } = request;
    if (request.type === 'offer') return servers.offer(server, signal);
    if (request.type === 'answer') return servers.answer(server, request.key, request.answer, signal);
    const { key, tool, input } = request;
    return servers.call(server, { key, tool, input, signal, onProgress: (text) => post({ id, type: 'progress', text }) });
  };
  port.on('message', (request: Request) => {
    if (request.type === 'cancel') return inFlight.get(request.id)?.abort();
    const abort = new AbortController();
    inFlight.set(request.id, abort);
    perform(request, abort.signal)
      .then(
        (result) => post({ id: request.id, type: 'done', result }),
        (error: unknown) => post({ id: request.id, type: 'failed', error: toTransferable(error) }),
      )
      .finally(() => inFlight.delete(request.id));
  });
  port.on('close', () => {
    for (const abort of inFlight.values()) abort.abort();
  });
  // The port of an idle thread must not keep this process alive.
  port.unref();
}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress?: (text: string) => void;
}

/** Client of the servers owned by another thread, shared by all runs of the workspace. */
export class SharedServers implements McpAccess {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (reply: Reply) => this.#settle(reply));
    port.on('close', () => this.#rejectAll());
    port.unref();
  }

  offer(server: string, signal: AbortSignal): Promise<McpOffer> {
    return this.#ask({ type: 'offer', server }, signal);
  }

  call(server: string, { key, tool, input, signal, onProgress }: McpCall): Promise<McpOutcome> {
    return this.#ask({ type: 'call', server, key, tool, input }, signal, onProgress);
  }

  answer(server: string, key: string, answer: McpAnswer, signal: AbortSignal): Promise<McpOutcome | null> {
    return this.#ask({ type: 'answer', server, key, answer }, signal);
  }

  close(): void {
    this.#port.close();
  }

  #ask<T>(request: DistributiveOmit<Exclude<Request, { type: 'cancel' }>, 'id'>, signal: AbortSignal, onProgress?: Waiting['onProgress']) {
    if (signal.aborted) return Promise.reject<T>(new FlowError('Cancelled', 'The run was cancelled.'));
    const id = this.#nextId;
    this.#nextId += 1;
    const { server } = request;
    const cancel = () => this.#port.postMessage({ id, server, type: 'cancel' } satisfies Request);
    signal.addEventListener('abort', cancel, { once: true });
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, ...(onProgress && { onProgress }) });
      this.#port.ref();
      this.#port.postMessage({ ...request, id });
    }).finally(() => {
      signal.removeEventListener('abort', cancel);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#port.unref();
    });
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if (reply.type === 'progress') waiting?.onProgress?.(reply.text);
    else if (reply.type === 'done') waiting?.resolve(reply.result as never);
    else waiting?.reject(fromTransferable(reply.error));
  }

  #rejectAll(): void {
    for (const { reject } of this.#waiting.values()) reject(new FlowError('Cancelled', 'The MCP servers of this folder were stopped.'));
  }
}

type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;
