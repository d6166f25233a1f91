import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { inTrace, parseTraceparent } from '#main/platform/trace-context.ts';
import type { ServerStore, StoredAnswer, TokenRow } from '#main/store/server-store.ts';
import type { TelemetryExporter, TracedRequest } from '#main/telemetry/exporter.ts';
import { version } from '#main/version.ts';
import type { ServedFlowDetail } from '#shared/contract/server/flows.ts';
import { attachedPath } from '#shared/contract/servers.ts';
import { FlowError } from '#shared/run/error.ts';
import { assertHost, assertScope, authenticate, corsHeaders } from './access.ts';
import { type AnswerApi, apiHandler } from './api-handler.ts';
import { apiRouter, type RequestContext, type ServerServices } from './api-router.ts';
import { AttachedStudio } from './attached-studio.ts';
import { EventStreams } from './event-stream.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import { Metrics, routeOf } from './metrics.ts';
import { methodsByPath, openApiDocument } from './openapi.ts';
import { problemOf, RequestProblem } from './problems.ts';
import { RateLimit } from './rate-limit.ts';
import { type Intent, RepeatedRequests, unrepeatable } from './repeated-requests.ts';
import { parseBody, readBody } from './request-body.ts';
import { readCursor, runStream } from './run-events.ts';
import { swaggerFile } from './swagger-ui.ts';

export interface ServerHostOptions {
  readonly services: ServerServices;
  readonly store: ServerStore;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Origins whose pages may call the server. */
  readonly allowOrigins: readonly string[];
  /** The address under which callers reach the server, if it differs. */
  readonly publicUrl: URL | null;
  /** Requests a second that a token may make. */
  readonly rate: number;
  /** Traces requests. */
  readonly telemetry?: Pick<TelemetryExporter, 'request'> | undefined;
  readonly now: () => number;
  /** Writes a line of the log. Contains no token, body or prompt. */
  readonly log: (line: { readonly level: 'info' | 'error'; readonly [field: string]: unknown }) => void;
}

export interface ServerHost {
  readonly url: string;
  /** Refuses new runs and streams, and ends open streams. */
  drain(): Promise<void>;
  /** Closes all connections and the port. */
  close(): Promise<void>;
}

const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Serves the API. Rejects if the port is in use. */
export async function startServerHost(options: ServerHostOptions): Promise<ServerHost> {
  const document = await openApiDocument();
  const site = new Site(options, JSON.stringify(document), methodsByPath(document));
  const server = createServer(
    { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 30_000 },
    (request, response) => void site.answer(request, response),
  );
  server.maxHeadersCount = 100;
  const { port } = await listen(server, options.port, options.host);
  site.allowHosts(port);
  const stopWatching = site.watchRevocations();
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    drain: () => site.drain(),
    close: () =>
      new Promise((resolve) => {
        stopWatching();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

interface Exchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

class Site {
  readonly #options: ServerHostOptions;
  readonly #api: AnswerApi;
  readonly #document: string;
  readonly #streams = new EventStreams();
  readonly #metrics: Metrics;
  readonly #limit: RateLimit;
  readonly #repeated: RepeatedRequests;
  readonly #mcp: McpEndpoint;
  readonly #attached: AttachedStudio;
  readonly #hosts = new Set<string>();
  #draining = false;

  constructor(options: ServerHostOptions, document: string, allowed: (path: string) => readonly string[]) {
    const { services, store, now, rate } = options;
    this.#options = options;
    this.#document = document;
    this.#api = apiHandler(apiRouter(services), allowed);
    this.#metrics = new Metrics({
      streams: () => this.#streams.size,
      runs: async () => (await services.folders.opened()).reduce((sum, { session }) => sum + session.runs.size, 0),
    });
    this.#limit = new RateLimit(rate, now);
    this.#repeated = new RepeatedRequests(store.requests, now);
    this.#mcp = new McpEndpoint(services, now);
    this.#attached = new AttachedStudio(services.folders, services.runs);
  }

  /** Sets the names under which callers may reach the server. */
  allowHosts(port: number): void {
    const { host, publicUrl } = this.#options;
    for (const name of ['127.0.0.1', 'localhost', '[::1]', host]) this.#hosts.add(`${name.toLowerCase()}:${port}`);
    if (publicUrl) this.#hosts.add(publicUrl.host);
  }

  /** Ends the streams of tokens that any process revokes. Returns what stops it. */
  watchRevocations(): () => void {
    const { tokens } = this.#options.services;
    const revoke = (id: string) => {
      this.#streams.revoke(id);
      this.#mcp.revoke(id);
      this.#attached.revoke(id);
    };
    const stop = tokens.onRevoked(revoke);
    const check = async () => {
      const open = new Set([...this.#streams.tokenIds, ...this.#mcp.tokenIds, ...this.#attached.tokenIds]);
      for (const id of open) if (!(await tokens.isValid(id))) revoke(id);
    };
    // A store that does not answer now is asked again.
    const timer = setInterval(() => void check().catch(() => undefined), 1000).unref();
    return () => {
      stop();
      clearInterval(timer);
    };
  }

  async drain(): Promise<void> {
    this.#draining = true;
    this.#attached.close();
    await Promise.all([this.#streams.end(), this.#mcp.close()]);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = performance.now();
    const id = randomUUID();
    const url = URL.parse(request.url ?? '/', 'http://server');
    const path = url?.pathname ?? '';
    response.setHeader('x-request-id', id);
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    const span = this.#traced(request, path);
    response.on('close', () => {
      span?.end(response.statusCode);
      const seconds = (performance.now() - began) / 1000;
      this.#metrics.answered(request.method ?? '', path, response.statusCode, seconds);
      this.#options.log({ level: 'info', request: id, method: request.method, path, status: response.statusCode, seconds });
    });
    try {
      if (!url) throw new RequestProblem(400, 'ADDRESS_INVALID', 'The address of the request is not valid.');
      assertHost(request.headers, this.#hosts);
      for (const [name, value] of Object.entries(corsHeaders(request.headers, new Set(this.#options.allowOrigins))))
        response.setHeader(name, value);
      await inTrace(span?.context, () => this.#route({ id, request, response, url }));
    } catch (thrown) {
      this.#refuse(response, thrown, id);
    }
  }

  /** The span of a call of the API. Probes of health and metrics have none. */
  #traced({ method = '', headers }: IncomingMessage, path: string): TracedRequest | undefined {
    if (!path.startsWith('/v1/') && path !== '/mcp') return undefined;
    return this.#options.telemetry?.request(method, routeOf(path), parseTraceparent(headers.traceparent?.toString()));
  }

  async #route(exchange: Exchange): Promise<void> {
    const { request, response, url } = exchange;
    const { method } = request;
    if (method === 'OPTIONS' && response.hasHeader('access-control-allow-origin')) {
      response.writeHead(204).end();
      return;
    }
    if (!url.pathname.startsWith('/v1/') && url.pathname !== '/metrics' && url.pathname !== '/mcp') return this.#answerOpen(exchange);
    const token = await authenticate(request.headers, this.#options.services.tokens);
    const leave = this.#limit.enter(token.id);
    try {
      if (url.pathname === '/metrics') {
        assertScope(token, 'read');
        send(response, 200, { 'content-type': this.#metrics.type }, await this.#metrics.text());
        return;
      }
      if (url.pathname === '/mcp') {
        assertScope(token, 'read');
        if (this.#draining) throw stopping();
        if (method === 'GET') leave();
        return await this.#mcp.answer({ request, response, token });
      }
      if (url.pathname.startsWith(`${attachedPath}/`)) {
        if (this.#draining) throw stopping();
        return await this.#attached.answer({ request, response, url, token });
      }
      if (method === 'GET' && url.pathname === '/v1/runs/watch') {
        leave();
        return await this.#watch(exchange, token);
      }
      const runId = /^\/v1\/runs\/([0-9a-f-]{36})\/(events|sse)$/.exec(url.pathname);
      const wantsStream = runId?.[2] === 'sse' || (request.headers.accept ?? '').includes('text/event-stream');
      if (method === 'GET' && runId?.[1] && wantsStream) {
        leave();
        return await this.#stream(exchange, token, runId[1]);
      }
      await this.#answerApi(exchange, token);
    } finally {
      leave();
    }
  }

  /** Answers what needs no token. */
  async #answerOpen({ request, response, url }: Exchange): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new RequestProblem(405, 'METHOD_NOT_ALLOWED', 'Use GET here.', { headers: { allow: 'GET' } });
    const json = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    if (url.pathname === '/health') return send(response, 200, json, JSON.stringify({ status: 'ok', version, backend: 'process' }));
    if (url.pathname === '/ready') {
      const missing = this.#draining ? 'The server is stopping.' : await this.#missing();
      const answer = missing === null ? { status: 'ready' } : { status: this.#draining ? 'stopping' : 'degraded', missing };
      return send(response, missing === null ? 200 : 503, json, JSON.stringify(answer));
    }
    if (url.pathname === '/openapi.json') return send(response, 200, json, this.#document);
    const file = await swaggerFile(url.pathname);
    if (!file) throw new RequestProblem(404, 'NOT_FOUND', `There is nothing at ${url.pathname}. The API is described at /openapi.json.`);
    send(response, file.status, file.headers, file.body);
  }

  /** What the server needs and does not have now; null if it has everything. */
  async #missing(): Promise<string | null> {
    try {
      await this.#options.store.check();
      return null;
    } catch (error) {
      return error instanceof FlowError ? error.message : 'The store does not answer.';
    }
  }

  async #answerApi({ id, request, response, url }: Exchange, token: TokenRow): Promise<void> {
    const { method = 'GET', headers } = request;
    assertAcceptable(headers.accept);
    const sent = method === 'GET' || method === 'HEAD' ? '' : await readBody(request, takesBundle(method, url));
    const abort = new AbortController();
    response.on('close', () => abort.abort());
    const perform = async (intent: Intent): Promise<StoredAnswer> => {
      try {
        if (this.#draining && method === 'POST') throw stopping();
        const expected = await this.#expectedVersion(request, url, { token, requestId: id, intent });
        const answer = await this.#api(
          { method: method === 'HEAD' ? 'GET' : method, url, headers, body: parseBody(sent), signal: abort.signal },
          { token, requestId: id, intent, expected },
        );
        if (answer.status >= 400) return { ...answer, headers: problemHeaders(answer.status), body: JSON.stringify(answer.body) };
        return { status: answer.status, headers: answer.headers, body: answer.body === undefined ? '' : JSON.stringify(answer.body) };
      } catch (thrown) {
        return this.#problemAnswer(thrown, id);
      }
    };
    const key = headers['idempotency-key'];
    const answer =
      key === undefined || method !== 'POST'
        ? await perform(unrepeatable)
        : await this.#repeated.once(
            { token_id: token.id, route: `${method} ${url.pathname}${url.search}`, key: readKey(key) },
            sent,
            perform,
          );
    const tagged = method === 'GET' && answer.status === 200 ? withTag(answer, headers['if-none-match']) : answer;
    send(response, tagged.status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...tagged.headers }, tagged.body);
  }

  /** The active version of the flow that `If-Match` knows. Throws 412 if the flow has changed, or there is none. */
  async #expectedVersion({ method, headers }: IncomingMessage, url: URL, context: RequestContext): Promise<number | undefined> {
    const match = headers['if-match'];
    const changed = method === 'POST' ? /^(\/v1\/flows\/.+)\/activate$/ : method === 'DELETE' ? /^(\/v1\/flows\/.+)$/ : null;
    const path = changed?.exec(url.pathname)?.[1];
    if (match === undefined || path === undefined) return undefined;
    const read = { method: 'GET', url: new URL(path, url), headers: {}, body: undefined, signal: new AbortController().signal };
    const { status, body } = await this.#api(read, context);
    if (status !== 200 || !names(match, tagOf(JSON.stringify(body))))
      throw new RequestProblem(412, 'PRECONDITION_FAILED', 'The flow has changed since you read it. Read it again, and decide then.');
    const { version } = body as ServedFlowDetail;
    return version ?? undefined;
  }

  async #stream({ request, response, url }: Exchange, token: TokenRow, runId: string): Promise<void> {
    assertScope(token, 'read');
    const { runs } = this.#options.services;
    const unknown = [...url.searchParams.keys()].find((name) => name !== 'after_seq');
    if (unknown !== undefined) throw new RequestProblem(400, 'QUERY_UNKNOWN', `There is no parameter “${unknown}” here. Use after_seq.`);
    const cursor = readCursor(String(request.headers['last-event-id'] ?? url.searchParams.get('after_seq') ?? '0'));
    const { seq, status } = await runs.get(runId);
    const ended = status === 'success' || status === 'cancelled';
    // Browsers connect again after the end of a stream; this tells them to stop.
    if (ended && request.headers['last-event-id'] !== undefined && cursor.afterSeq >= seq) return send(response, 204, {}, '');
    await this.#streams.send({
      response,
      tokenId: token.id,
      connected: { run_id: runId, seq },
      events: (signal) => runStream(runs, runId, cursor, signal),
    });
  }

  /** Streams all runs as they change. */
  async #watch({ response }: Exchange, token: TokenRow): Promise<void> {
    assertScope(token, 'read');
    const { runs } = this.#options.services;
    const events = async function* (signal: AbortSignal) {
      for await (const run of runs.changes(signal)) yield { event: 'run', data: JSON.stringify(run) };
    };
    await this.#streams.send({ response, tokenId: token.id, connected: {}, events });
  }

  #refuse(response: ServerResponse, thrown: unknown, id: string): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, headers, body } = this.#problemAnswer(thrown, id);
    send(response, status, headers, body);
  }

  #problemAnswer(thrown: unknown, id: string): StoredAnswer {
    const problem = problemOf(thrown, id);
    if (problem.status >= 500)
      this.#options.log({
        level: 'error',
        request: id,
        error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
      });
    const headers = thrown instanceof RequestProblem ? thrown.headers : {};
    return { status: problem.status, headers: { ...problemHeaders(problem.status), ...headers }, body: JSON.stringify(problem) };
  }
}

function stopping(): RequestProblem {
  return new RequestProblem(503, 'SERVER_STOPPING', 'The server is stopping.', { headers: { 'retry-after': '1' } });
}

/** Whether a route takes a bundle in place of JSON. */
function takesBundle(method: string, { pathname }: URL): boolean {
  return method === 'POST' && pathname === '/v1/flows';
}

const problemType = { 'content-type': 'application/problem+json' };

function problemHeaders(status: number): Readonly<Record<string, string>> {
  return { ...problemType, ...(status === 503 && { 'retry-after': '1' }) };
}

function send(response: ServerResponse, status: number, headers: Readonly<Record<string, string>>, body: string | Uint8Array): void {
  response.writeHead(status, body.length === 0 ? omitType(headers) : headers).end(body.length === 0 ? undefined : body);
}

function omitType({ 'content-type': _type, ...headers }: Readonly<Record<string, string>>): Record<string, string> {
  return headers;
}

function readKey(key: string | string[]): string {
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new RequestProblem(400, 'IDEMPOTENCY_KEY_INVALID', 'An Idempotency-Key has 1 to 255 printable characters without spaces.');
}

function assertAcceptable(accept: string | undefined): void {
  if (accept === undefined || /\*\/\*|application\/(\*|json)/.test(accept)) return;
  throw new RequestProblem(406, 'NOT_ACCEPTABLE', 'Only application/json is available here.');
}

function tagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** Whether a header with tags (`If-Match`, `If-None-Match`) names this one. */
function names(header: string, tag: string): boolean {
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag || each.trim() === '*');
}

/** Adds an `ETag`; an answer that the caller has already becomes 304. */
function withTag(answer: StoredAnswer, known: string | undefined): StoredAnswer {
  const tag = tagOf(answer.body);
  const headers = { ...answer.headers, etag: tag };
  if (known !== undefined && names(known, tag)) return { status: 304, headers, body: '' };
  return { ...answer, headers };
}
