import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PageFiles } from '#main/hosts/page-files.ts';
import { pageHeaders } from '#main/hosts/page-policy.ts';
import { servePort } from '#main/services/serve-port.ts';
import type { StudioRouter } from '#main/services/services.ts';
import { httpPort } from '#shared/contract/http-port.ts';
import { HttpPorts } from './http-ports.ts';
import { PageAccess } from './page-access.ts';
import { redirectPage } from './redirect-page.ts';
import { freshLinkNeeded, refusalPage } from './refusal-page.ts';
import { type Refusal, refuseForeign } from './request-guard.ts';

/** Bytes of one request's body; a value may have 64 MiB, and JSON within JSON grows. */
const bodyLimit = 160 * 1024 * 1024;

export interface WebHostOptions {
  readonly router: StudioRouter;
  readonly files: PageFiles;
  /** 0 (the default) takes a free port. */
  readonly port?: number;
  /** A clock in milliseconds. */
  readonly now?: () => number;
}

export interface WebHost {
  readonly port: number;
  /** A new address that opens the studio once, within 60 s. */
  newUrl(): string;
  /** The same for a link file, which the browser treats as another site. `onUsed` is called when it is opened. */
  newLink(onUsed: () => void): string;
  /** Closes all connections and the port. */
  close(): Promise<void>;
}

/** Serves the page and the contract on 127.0.0.1. Rejects if the port is in use. */
export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const site = new Site(options);
  const server = createServer((request, response) => void site.answer(request, response));
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  site.authority = `127.0.0.1:${port}`;
  return {
    port,
    newUrl: () => site.newUrl(),
    newLink: (onUsed) => site.newLink(onUsed),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        site.ports.closeAll();
        server.closeAllConnections();
      }),
  };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Target of a request, and whether a link file sent the browser there. */
interface Way {
  readonly url: URL;
  readonly viaLink: boolean;
}

const connectionEnded: Refusal = { status: 404, message: 'This connection is closed.' };

/** Response for one address. */
class Site {
  readonly ports = new HttpPorts();
  readonly #router: StudioRouter;
  readonly #files: PageFiles;
  readonly #access: PageAccess;
  readonly #linkListeners = new Map<string, () => void>();
  /** `127.0.0.1:PORT`, set once the server listens. */
  authority = '';

  constructor({ router, files, now }: WebHostOptions) {
    this.#router = router;
    this.#files = files;
    this.#access = new PageAccess(now);
  }

  newUrl(): string {
    return `http://${this.authority}/?token=${this.#access.oneTimeTokens.issue()}`;
  }

  newLink(onUsed: () => void): string {
    const token = this.#access.linkTokens.issue();
    this.#linkListeners.set(token, onUsed);
    return `http://${this.authority}/?link=${token}`;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    try {
      const url = new URL(request.url ?? '/', `http://${this.authority}`);
      const origin = { method: request.method ?? '', headers: request.headers };
      let viaLink = false;
      const isOwnFile = () => {
        viaLink = url.pathname === '/' && this.#redeemLink(url.searchParams.get('link') ?? '');
        return viaLink;
      };
      const foreign = refuseForeign(origin, this.authority, isOwnFile);
      // For browsers that do not treat the file as another site.
      const way = { url, viaLink: viaLink || (!foreign && isOwnFile()) };
      const refusal = foreign ?? (await this.#route(way, request, response));
      if (refusal) refuse(response, refusal);
    } catch {
      if (response.headersSent) response.destroy();
      else refuse(response, { status: 400, message: 'The request is invalid.' });
    }
  }

  /** Responds to a request or explains the refusal. */
  async #route({ url, viaLink }: Way, request: IncomingMessage, response: ServerResponse): Promise<Refusal | null> {
    if (viaLink) {
      // Redirect through another page of ours, so that the browser treats the next load, and reloads, as same-site.
      send(response, 'text/html; charset=utf-8', redirectPage(this.newUrl()));
      return null;
    }
    if (request.method === 'POST') return this.#call(url.pathname, request, response);
    return url.pathname === '/' ? this.#document(url, request, response) : this.#file(url.pathname, request, response);
  }

  #redeemLink(token: string): boolean {
    const valid = this.#access.linkTokens.redeem(token);
    if (valid) this.#linkListeners.get(token)?.();
    this.#linkListeners.delete(token);
    return valid;
  }

  async #document(url: URL, request: IncomingMessage, response: ServerResponse): Promise<Refusal | null> {
    const first = this.#access.oneTimeTokens.redeem(url.searchParams.get('token') ?? '');
    if (!first && !this.#hasCookie(request)) return freshLinkNeeded;
    const page = this.#files.get('/index.html');
    if (!page) return { status: 404, message: 'The studio’s page is not built. Run “npm start” to build it.' };
    const html = new TextDecoder().decode(await page.read());
    if (first) response.setHeader('set-cookie', `${this.#cookieName}=${this.#access.cookie}; HttpOnly; SameSite=Strict; Path=/`);
    const meta = `<meta name="${httpPort.tokenMeta}" content="${first ? this.#access.issuePageToken() : ''}">`;
    send(response, page.type, html.replace('<head>', `<head>${meta}`));
    return null;
  }

  async #file(path: string, request: IncomingMessage, response: ServerResponse): Promise<Refusal | null> {
    if (!this.#hasCookie(request)) return freshLinkNeeded;
    const file = path === '/index.html' ? undefined : this.#files.get(path);
    if (!file) return { status: 404, message: 'File not found.' };
    send(response, file.type, await file.read());
    return null;
  }

  async #call(path: string, request: IncomingMessage, response: ServerResponse): Promise<Refusal | null> {
    const pageToken = request.headers[httpPort.tokenHeader];
    if (typeof pageToken !== 'string' || !this.#access.isPageToken(pageToken)) return freshLinkNeeded;
    if (path === httpPort.openPath) {
      servePort(this.#router, this.ports.open(pageToken, response));
      return null;
    }
    if (path === httpPort.tokenPath) {
      send(response, 'application/json', JSON.stringify({ page_token: this.#access.issuePageToken() }));
      return null;
    }
    if (!path.startsWith(httpPort.sendPrefix)) return { status: 404, message: 'There is no API at this address.' };
    const port = path.slice(httpPort.sendPrefix.length);
    if (!this.ports.has(port, pageToken)) return connectionEnded;
    const body = await readBody(request);
    if (body === null) return { status: 413, message: 'A call can be at most 160 MiB.' };
    if (!this.ports.receive(port, pageToken, body)) return connectionEnded;
    response.writeHead(204).end();
    return null;
  }

  /** Cookies are shared by all ports of a host, so each studio needs its own name. */
  get #cookieName(): string {
    return `pravah_${this.authority.split(':')[1]}`;
  }

  #hasCookie(request: IncomingMessage): boolean {
    const cookies = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
    return cookies.some(([name, value]) => name === this.#cookieName && this.#access.isCookie(value));
  }
}

function send(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', connection: 'close' });
  response.end(refusalPage(refusal));
}

/** Reads a body; null if it is too large, without reading any of it if its length is announced. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > bodyLimit) return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}
