import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A loopback web server for tests. */
export class TestServer {
  /** Received requests: method, path, headers, body. */
  readonly requests: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[] = [];
  private readonly server: Server;

  static async start(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<TestServer> {
    const started = new TestServer(answer);
    started.server.listen(0, '127.0.0.1');
    await once(started.server, 'listening');
    return started;
  }

  private constructor(answer: (request: IncomingMessage, response: ServerResponse) => void) {
    this.server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      this.requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
      answer(request, response);
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** URL of a path on this server, by IP address or another host name. */
  url(path = '/', host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
