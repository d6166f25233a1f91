import type { McpRefusal, McpRequest, McpSessions } from '#main/hosts/mcp/http-sessions.ts';
import type { ServerServices } from './api-router.ts';
import { RequestProblem } from './problems.ts';
import { parseBody, readBody } from './request-body.ts';

const refusals: Readonly<Record<McpRefusal, RequestProblem>> = {
  session_unknown: new RequestProblem(404, 'MCP_SESSION_UNKNOWN', 'There is no such session. Initialize a new one.'),
  session_missing: new RequestProblem(
    400,
    'MCP_SESSION_MISSING',
    'A session begins with the request “initialize”. Send its Mcp-Session-Id.',
  ),
  too_many_sessions: new RequestProblem(429, 'TOO_MANY_SESSIONS', 'The token has too many open sessions. Close some of them.', {
    headers: { 'retry-after': '60' },
  }),
};

/** `/mcp`: the flows as tools for MCP clients, over streamable HTTP. */
export class McpEndpoint {
  readonly #services: ServerServices;
  readonly #now: () => number;
  #sessions: Promise<McpSessions> | undefined;
  #opened: McpSessions | undefined;

  constructor(services: ServerServices, now: () => number) {
    this.#services = services;
    this.#now = now;
  }

  /** Ids of the tokens that have sessions. */
  get tokenIds(): Iterable<string> {
    return this.#opened?.tokenIds ?? [];
  }

  /** Answers a request. Throws `RequestProblem`. */
  async answer({ request, response, token }: Omit<McpRequest, 'body'>): Promise<void> {
    const { method } = request;
    if (method !== 'GET' && method !== 'POST' && method !== 'DELETE')
      throw new RequestProblem(405, 'METHOD_NOT_ALLOWED', 'Use GET, POST or DELETE here.', { headers: { allow: 'GET, POST, DELETE' } });
    const body = method === 'POST' ? parseBody(await readBody(request, false)) : undefined;
    const refusal = await (await this.#open()).answer({ request, response, body, token });
    if (refusal) throw refusals[refusal];
  }

  revoke(tokenId: string): void {
    this.#opened?.revoke(tokenId);
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }

  /** Most servers have no MCP clients: the protocol is loaded for the first one. */
  #open(): Promise<McpSessions> {
    this.#sessions ??= import('#main/hosts/mcp/http-sessions.ts').then(({ McpSessions }) => {
      const { flows, runs } = this.#services;
      this.#opened = new McpSessions({ flows, runs, named: [] }, this.#now);
      return this.#opened;
    });
    return this.#sessions;
  }
}
