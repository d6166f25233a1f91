import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LLMock } from '@copilotkit/aimock';
import type { JsonObject } from '#shared/json.ts';

/** A request as received. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: JsonObject;
  /** The body as it was sent: parsing loses the point of a float of integral value. */
  readonly text: string;
}

/** A loopback server for the vendors' protocols, behind a proxy that records each request. */
export class VendorServer {
  readonly mock: LLMock;
  readonly requests: SeenRequest[] = [];
  /** Responses by path (without query) that override the protocol server's: JSON, or the text of an event stream. */
  readonly answers = new Map<string, JsonObject | string>();
  readonly #door: Server;
  #hungUp = Promise.withResolvers<void>();
  #arrived = Promise.withResolvers<void>();

  private constructor(mock: LLMock) {
    this.mock = mock;
    this.#door = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const path = incoming.url ?? '';
        this.requests.push({ path, headers: incoming.headers, body: text === '' ? {} : (JSON.parse(text) as JsonObject), text });
        this.#arrived.resolve();
        const { method = 'GET', headers } = incoming;
        const known = this.answers.get(path.split('?')[0] ?? '');
        if (known) {
          const isStream = typeof known === 'string';
          outgoing.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
          outgoing.end(isStream ? known : JSON.stringify(known));
          return;
        }
        const onward = request(`${mock.url}${path}`, { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.on('error', () => outgoing.destroy());
          answer.on('aborted', () => outgoing.destroy());
          answer.pipe(outgoing);
        });
        onward.on('error', () => outgoing.destroy());
        outgoing.on('close', () => {
          if (!outgoing.writableFinished) this.#hungUp.resolve();
          onward.destroy();
        });
        onward.end(text);
      });
    });
  }

  /** Starts both. The caller passes the protocol server, because only tests may load it. */
  static async start(mock: LLMock): Promise<VendorServer> {
    await mock.start();
    const server = new VendorServer(mock);
    await new Promise<void>((resolve) => server.#door.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#door.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves once a request was received. */
  get arrived(): Promise<void> {
    return this.#arrived.promise;
  }

  /** Resolves once a client has aborted a request before its response was complete. */
  get hungUp(): Promise<void> {
    return this.#hungUp.promise;
  }

  /** Clears all requests and responses. */
  reset(): void {
    this.mock.reset();
    this.requests.length = 0;
    this.#hungUp = Promise.withResolvers();
    this.#arrived = Promise.withResolvers();
  }

  async stop(): Promise<void> {
    this.#door.closeAllConnections();
    await new Promise((resolve) => this.#door.close(resolve));
    await this.mock.stop();
  }
}

/** Creates the protocol server: on loopback, answering in small chunks. */
export const mockOptions = { port: 0, host: '127.0.0.1', chunkSize: 8 } as const;
