import { setTimeout as timer } from 'node:timers/promises';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import { FlowError, ToolError, toTransferable } from '#shared/run/error.ts';
import type { McpHolder } from './access.ts';
import { isOfRun } from './call-key.ts';
import { type McpCall, McpConnection, type McpOffer, type McpPrompt, type McpResources } from './connection.ts';
import type { McpAnswer, McpOutcome } from './pending-call.ts';
import type { ServerPlace } from './transport.ts';

export interface McpServersOptions {
  readonly folder: string;
  readonly servers: WorkspaceSettings['mcp_servers'];
  /** Reads the variables of the workspace's `.env` at each start of a server. */
  readonly readSecrets: () => Promise<ServerPlace['secrets']>;
  /** Called when a server starts, ends, fails or lists different tools. */
  readonly onChange?: () => void;
  /** Pause before a restart after a number of consecutive failures, in milliseconds. */
  readonly rests?: readonly number[];
  readonly now?: () => number;
  /** Waits for N milliseconds; can be aborted. */
  readonly wait?: (duration: number, signal: AbortSignal) => Promise<void>;
}

/** A server's public status. */
export interface McpServerState {
  readonly state: 'idle' | 'starting' | 'connected' | 'failed';
  /** The name and version that the server reported. */
  readonly server: { readonly name: string; readonly version: string } | null;
  /** Why it failed or ended. */
  readonly last_error: string | null;
  readonly last_words: string;
}

interface Entry {
  connection: McpConnection | undefined;
  opening: Promise<McpConnection> | undefined;
  failures: number;
  rests_until: number;
  last_error: string | null;
  last_words: string;
}

const retryDelays = [250, 1_000, 4_000, 15_000, 30_000] as const;

/** The MCP servers of a workspace. Each is started on first use, and restarted, after a pause, when it has ended. */
export class McpServers implements McpHolder {
  readonly #options: McpServersOptions;
  readonly #rests: readonly number[];
  readonly #now: () => number;
  readonly #wait: NonNullable<McpServersOptions['wait']>;
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new AbortController();

  constructor(options: McpServersOptions) {
    this.#options = options;
    this.#rests = options.rests ?? retryDelays;
    this.#now = options.now ?? Date.now;
    this.#wait = options.wait ?? ((duration, signal) => timer(duration, undefined, { signal }));
  }

  get names(): readonly string[] {
    return Object.keys(this.#options.servers);
  }

  async offer(name: string, signal: AbortSignal = this.#closing.signal): Promise<McpOffer> {
    return (await this.#connected(name, signal)).offer();
  }

  /** What a server offers to read; null if it has no resources. */
  async resources(name: string, signal: AbortSignal = this.#closing.signal): Promise<McpResources | null> {
    return (await this.#connected(name, signal)).resources();
  }

  /** The prompts of a server; null if it has none. */
  async prompts(name: string, signal: AbortSignal = this.#closing.signal): Promise<readonly McpPrompt[] | null> {
    return (await this.#connected(name, signal)).prompts();
  }

  async call(name: string, call: McpCall): Promise<McpOutcome> {
    const connection = await this.#connected(name, call.signal);
    const outcome = await connection.call(call);
    this.#entry(name).failures = 0;
    return outcome;
  }

  async answer(name: string, key: string, answer: McpAnswer, signal: AbortSignal): Promise<McpOutcome | null> {
    const { connection } = this.#entry(name);
    return connection && !connection.ended ? connection.answer(key, answer, signal) : null;
  }

  forget(runId: string): void {
    const meant = (key: string) => isOfRun(key, runId);
    for (const { connection } of this.#entries.values()) connection?.forget(meant);
  }

  state(name: string): McpServerState {
    const { connection, opening, last_error, last_words } = this.#entry(name);
    const connected = connection !== undefined && !connection.ended;
    const state = connected ? 'connected' : opening ? 'starting' : last_error ? 'failed' : 'idle';
    const words = connected ? connection.stderrTail : last_words;
    return { state, server: connected ? connection.server : null, last_error, last_words: words };
  }

  /** Stops a server and resets its failures: the next use starts it at once. */
  async stop(name: string): Promise<void> {
    const entry = this.#entry(name);
    await entry.opening?.catch(() => undefined);
    const { connection } = entry;
    this.#entries.delete(name);
    await connection?.close();
    this.#options.onChange?.();
  }

  /** Stops all servers. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#entries.keys()].map((name) => this.stop(name)));
  }

  #entry(name: string): Entry {
    let entry = this.#entries.get(name);
    if (!entry) {
      entry = { connection: undefined, opening: undefined, failures: 0, rests_until: 0, last_error: null, last_words: '' };
      this.#entries.set(name, entry);
    }
    return entry;
  }

  async #connected(name: string, signal: AbortSignal): Promise<McpConnection> {
    const entry = this.#entry(name);
    if (entry.connection && !entry.connection.ended) return entry.connection;
    entry.opening ??= this.#open(name, entry).finally(() => {
      entry.opening = undefined;
      this.#options.onChange?.();
    });
    this.#options.onChange?.();
    return untilAborted(entry.opening, signal);
  }

  async #open(name: string, entry: Entry): Promise<McpConnection> {
    const { folder, servers, readSecrets } = this.#options;
    const settings = Object.hasOwn(servers, name) ? servers[name] : undefined;
    if (!settings) throw new ToolError('UnknownTool', `Unknown MCP server ${JSON.stringify(name)}: it is not in pravah.json.`);
    const rest = entry.rests_until - this.#now();
    if (rest > 0) await this.#wait(rest, this.#closing.signal);
    try {
      const onChange = () => this.#changed(entry);
      const place = { folder, secrets: await readSecrets() };
      const connection = await McpConnection.open({ name, settings, onChange, ...place }, this.#closing.signal);
      entry.connection = connection;
      entry.last_error = null;
      return connection;
    } catch (error) {
      this.#failed(entry, toTransferable(error).message, '');
      throw error;
    }
  }

  #changed(entry: Entry): void {
    const { connection } = entry;
    if (connection?.ended && !this.#closing.signal.aborted && [...this.#entries.values()].includes(entry)) {
      entry.connection = undefined;
      this.#failed(entry, 'The server ended unexpectedly. Its next use restarts it.', connection.stderrTail);
    }
    this.#options.onChange?.();
  }

  #failed(entry: Entry, reason: string, stderrTail: string): void {
    const rest = this.#rests[Math.min(entry.failures, this.#rests.length - 1)] ?? 0;
    entry.failures += 1;
    entry.rests_until = this.#now() + rest;
    entry.last_error = reason;
    entry.last_words = stderrTail;
  }
}

/** Stops waiting for shared work when aborted, without cancelling the work. Throws `FlowError` `Cancelled`. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const cancelled = () => new FlowError('Cancelled', 'The run was cancelled.');
  if (signal.aborted) throw cancelled();
  let onAbort = () => undefined as undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => void reject(cancelled()) as undefined;
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
