import type { McpHolder } from '#main/mcp/access.ts';
import type { McpCall, McpOffer } from '#main/mcp/connection.ts';
import type { McpAnswer, McpOutcome } from '#main/mcp/pending-call.ts';
import { approveShown, type NamedServer, overviewOf } from '#main/mcp/server-overview.ts';
import { McpServers } from '#main/mcp/servers.ts';
import { Feed } from '#main/services/host/feed.ts';
import { readDotEnv } from '#main/workspace/secrets.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import type { McpServerInfo } from '#shared/contract/mcp.ts';
import { canonicalJson, toJson } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';

export interface FolderServersOptions {
  readonly folder: string;
  readonly trusted: () => Promise<boolean>;
  readonly settings: () => Promise<WorkspaceSettings>;
  /** Called when approvals change, so that runs reload them. */
  readonly onApproved: () => Promise<void>;
}

interface Running {
  readonly servers: McpServers;
  readonly settings: string;
}

/** The MCP servers of the open folder: one connection each, shared by the studio and all runs. */
export class FolderServers implements McpHolder {
  readonly #options: FolderServersOptions;
  readonly #changes = new Feed<'changed'>();
  #running: Running | null = null;

  constructor(options: FolderServersOptions) {
    this.#options = options;
  }

  async list(): Promise<McpServerInfo[]> {
    const { mcp_servers } = await this.#options.settings();
    const servers = await this.#servers(mcp_servers);
    return Promise.all(Object.entries(mcp_servers).map(([name, settings]) => overviewOf(this.#named(name, settings), servers)));
  }

  /** Starts a server and reads its tools. Throws `ToolError` `Missing` if it is not available, `Denied` without trust. */
  async connect(name: string): Promise<McpServerInfo> {
    const { server, servers } = await this.#startable(name);
    await servers.offer(name);
    return overviewOf(server, servers);
  }

  async stop(name: string): Promise<McpServerInfo> {
    const { server, servers } = await this.#startable(name);
    await servers.stop(name);
    return overviewOf(server, servers);
  }

  async approve(name: string, shown: readonly { readonly name: string; readonly fingerprint: string }[]): Promise<McpServerInfo> {
    const { server, servers } = await this.#startable(name);
    await approveShown(server, servers, shown);
    await this.#options.onApproved();
    this.#changes.publish('changed');
    return overviewOf(server, servers);
  }

  /** Re-reads trust and settings: stops servers that may no longer run and notifies all watchers. */
  async refresh(): Promise<void> {
    const settings = await this.#options.settings().catch(() => null);
    if (settings) await this.#servers(settings.mcp_servers);
    this.#changes.publish('changed');
  }

  async offer(name: string, signal: AbortSignal): Promise<McpOffer> {
    return (await this.#startable(name)).servers.offer(name, signal);
  }

  async call(name: string, call: McpCall): Promise<McpOutcome> {
    return (await this.#startable(name)).servers.call(name, call);
  }

  async answer(name: string, key: string, answer: McpAnswer, signal: AbortSignal): Promise<McpOutcome | null> {
    return (await this.#startable(name)).servers.answer(name, key, answer, signal);
  }

  forget(runId: string): void {
    this.#running?.servers.forget(runId);
  }

  /** Streams the servers, again after each change. */
  async *watch(signal: AbortSignal | undefined): AsyncGenerator<McpServerInfo[], void> {
    const changes = this.#changes.read(signal, (waiting, change) => {
      if (waiting.length === 0) waiting.push(change);
    });
    yield await this.list();
    for await (const _change of changes) yield await this.list();
  }

  async close(): Promise<void> {
    this.#changes.end();
    const running = this.#running;
    this.#running = null;
    await running?.servers.close();
  }

  #named(name: string, settings: NamedServer['settings']): NamedServer {
    return { folder: this.#options.folder, name, settings };
  }

  async #startable(name: string): Promise<{ readonly server: NamedServer; readonly servers: McpServers }> {
    const { mcp_servers } = await this.#options.settings();
    const settings = Object.hasOwn(mcp_servers, name) ? mcp_servers[name] : undefined;
    if (!settings) throw new FlowError('NotFound', `There is no MCP server ${JSON.stringify(name)} in pravah.json.`);
    const servers = await this.#servers(mcp_servers);
    if (!servers) throw new ToolError('Denied', 'MCP servers run only in trusted folders. Trust this folder first.');
    return { server: this.#named(name, settings), servers };
  }

  /** Returns the connections, recreated if the settings have changed; none without trust. */
  async #servers(settings: WorkspaceSettings['mcp_servers']): Promise<McpServers | null> {
    const trusted = await this.#options.trusted();
    const text = canonicalJson(toJson(settings));
    if (trusted && this.#running?.settings === text) return this.#running.servers;
    const before = this.#running;
    const { folder } = this.#options;
    const onChange = () => this.#changes.publish('changed');
    this.#running = trusted
      ? { servers: new McpServers({ folder, servers: settings, readSecrets: () => readDotEnv(folder), onChange }), settings: text }
      : null;
    await before?.servers.close();
    return this.#running?.servers ?? null;
  }
}
