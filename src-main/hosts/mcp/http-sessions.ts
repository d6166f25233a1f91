import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Scope } from '#shared/contract/server/common.ts';
import { type McpServerOptions, mcpServer } from './mcp-server.ts';

/** A request of an MCP client over HTTP. */
export interface McpRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The parsed body; undefined where there is none. */
  readonly body: unknown;
  readonly token: { readonly id: string; readonly scopes: readonly Scope[] };
}

/** Why a request is refused before the protocol begins. */
export type McpRefusal = 'session_unknown' | 'session_missing' | 'too_many_sessions';

interface Session {
  readonly tokenId: string;
  readonly server: Server;
  readonly transport: StreamableHTTPServerTransport;
  /** Requests whose answers are under way, open streams included. */
  open: number;
  usedAt: number;
}

const sessionsOfToken = 32;
const sessionsOfProcess = 1000;
/** How long a session may be unused, in milliseconds. */
const idleTime = 30 * 60 * 1000;

/**
 * The sessions of MCP clients over streamable HTTP (https://modelcontextprotocol.io/specification). A session belongs to the token that began it: no
 * other token finds it.
 */
export class McpSessions {
  readonly #options: Omit<McpServerOptions, 'scopes'>;
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();

  constructor(options: Omit<McpServerOptions, 'scopes'>, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /** Ids of the tokens that have sessions. */
  get tokenIds(): ReadonlySet<string> {
    return new Set([...this.#sessions.values()].map(({ tokenId }) => tokenId));
  }

  /** Answers a request, or returns why it is refused; then nothing has been sent. */
  async answer({ request, response, body, token }: McpRequest): Promise<McpRefusal | null> {
    this.#closeIdle();
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (id !== undefined && known?.tokenId !== token.id) return 'session_unknown';
    if (!known && !isInitializeRequest(body)) return 'session_missing';
    const session = known ?? (await this.#begin(token));
    if (!session) return 'too_many_sessions';
    session.open += 1;
    response.once('close', () => {
      session.open -= 1;
      session.usedAt = this.#now();
    });
    await session.transport.handleRequest(request, response, body);
    return null;
  }

  /** Ends the sessions of a revoked token. */
  revoke(tokenId: string): void {
    for (const { server } of this.#of(tokenId)) void server.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.close()));
  }

  async #begin({ id: tokenId, scopes }: McpRequest['token']): Promise<Session | null> {
    if (this.#of(tokenId).length >= sessionsOfToken || this.#sessions.size >= sessionsOfProcess) return null;
    const server = mcpServer({ ...this.#options, scopes });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
    });
    const session: Session = { tokenId, server, transport, open: 0, usedAt: this.#now() };
    await server.connect(transport);
    server.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    return session;
  }

  #of(tokenId: string): Session[] {
    return [...this.#sessions.values()].filter((session) => session.tokenId === tokenId);
  }

  #closeIdle(): void {
    const since = this.#now() - idleTime;
    for (const { open, usedAt, server } of this.#sessions.values()) if (open === 0 && usedAt < since) void server.close();
  }
}
