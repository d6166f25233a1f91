import { ORPCError } from '@orpc/client';
import { checkedServer, type KnownServers, type ServerWithToken } from '#main/connections/known-servers.ts';
import { ServerClient } from '#main/connections/server-client.ts';
import { type AttachedClient, attachTo, serverStatus } from '#main/connections/server-connection.ts';
import { Feed, latestBy } from '#main/services/host/feed.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { KnownServer, ServerStatus } from '#shared/contract/servers.ts';
import { FlowError } from '#shared/run/error.ts';
import { withServer } from './run-ids.ts';

/** How long a list waits for a server, in milliseconds: runs of the others are shown without it. */
const listPatience = 3000;
/** How long after a lost connection a server is asked again, in milliseconds. */
const retryAfter = 2000;

type RunsOf = { readonly flow_path?: string | undefined; readonly limit: number };

/** The servers that the studio is attached to. */
export class AttachedServers {
  readonly #known: KnownServers;
  /** Replaces the readers of changes when servers are added or removed. */
  readonly #changed = new Feed<null>();

  constructor(known: KnownServers) {
    this.#known = known;
  }

  async status(): Promise<ServerStatus[]> {
    return Promise.all((await this.#known.list()).map(({ token, ...server }) => serverStatus(server, token)));
  }

  /** Adds a server that answers. Throws `Invalid`. */
  async add(server: { readonly name: string; readonly url: string; readonly token: string }): Promise<ServerStatus> {
    const added = checkedServer(server);
    const status = await serverStatus(added, server.token.trim());
    if (status.state !== 'ok') throw new FlowError('Invalid', status.problem);
    await this.#known.add(added, server.token, Date.now());
    this.#changed.publish(null);
    return status;
  }

  async remove(name: string): Promise<void> {
    await this.#known.remove(name);
    this.#changed.publish(null);
  }

  /** A client of the runs of the server with this name. Throws `NotFound`. */
  async client(name: string): Promise<AttachedClient> {
    const { token, ...server } = await this.#withToken(name);
    return attachTo(server, token);
  }

  /** A client of everything else that the server with this name offers. Throws `NotFound`. */
  async requests(name: string): Promise<ServerClient> {
    const { token, ...server } = await this.#withToken(name);
    return new ServerClient(server, token);
  }

  async #withToken(name: string): Promise<KnownServer & { readonly token: string }> {
    const { token, ...server } = await this.#known.get(name);
    if (token !== null) return { ...server, token };
    throw new FlowError('Invalid', `No token of the server “${name}” is stored here. Enter it under Servers in the settings.`);
  }

  /** The newest runs of all servers that answer. */
  async list(filter: RunsOf): Promise<RunSummary[]> {
    const lists = (await this.#usable()).map(async (server) => {
      const runs = await attachTo(server, server.token).runs.list(filter, { signal: AbortSignal.timeout(listPatience) });
      return runs.map((run) => withServer(server.name, run));
    });
    return (await Promise.allSettled(lists)).flatMap((settled) => (settled.status === 'fulfilled' ? settled.value : []));
  }

  /** Runs of all servers as they change, until `signal` aborts. A lost connection is made again. */
  async *changes(signal: AbortSignal): AsyncGenerator<RunSummary> {
    while (!signal.aborted) {
      const readers = new AbortController();
      const feed = new Feed<RunSummary>();
      const until = AbortSignal.any([signal, readers.signal]);
      void this.#whenChanged(until).then(() => readers.abort());
      const read = feed.read(
        until,
        latestBy(({ run_id }) => run_id),
      );
      for (const server of await this.#usable()) void this.#follow(server, feed, until);
      yield* read;
    }
  }

  async #follow(server: ServerWithToken & { readonly token: string }, feed: Feed<RunSummary>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const run of await attachTo(server, server.token).runs.watch(undefined, { signal }))
          feed.publish(withServer(server.name, run));
      } catch {
        // Whether the server answers is shown in the settings.
      }
      await new Promise((done) => setTimeout(done, retryAfter).unref());
    }
  }

  async #whenChanged(signal: AbortSignal): Promise<void> {
    for await (const _changed of this.#changed.read(
      signal,
      latestBy(() => ''),
    ))
      return;
  }

  async #usable(): Promise<(ServerWithToken & { readonly token: string })[]> {
    return (await this.#known.list()).flatMap(({ token, ...server }) => (token === null ? [] : [{ ...server, token }]));
  }
}

/** A failed call as the error that it was on the server; others say which server did not answer. */
export function remoteFailure(server: string, thrown: unknown): unknown {
  if (thrown instanceof ORPCError && thrown.defined) return thrown;
  if (thrown instanceof ORPCError && thrown.status === 401)
    return new FlowError(
      'Invalid',
      `The server “${server}” does not take the token any more. Enter another one under Servers in the settings.`,
    );
  if (thrown instanceof ORPCError)
    return new FlowError('Conflict', `The server “${server}” refused this: ${thrown.message}.`, { details: { server } });
  return new FlowError('NotFound', `The server “${server}” does not answer. Nothing was changed; try again when it does.`, {
    details: { server },
  });
}
