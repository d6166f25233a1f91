import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server on loopback for the length of a test. */
export class TestServer {
  /** Requests as they came: method, path, headers, body. */
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

  /** Address of a path of this server, by the host's number or by another name of it. */
  url(path = '/', host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
