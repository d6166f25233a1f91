import { Event, Response } from '@vscode/debugadapter';
import { ProtocolServer } from '@vscode/debugadapter/lib/protocol.js';
import type { DebugProtocol } from '@vscode/debugprotocol';

/** Answer to a request. `afterwards` is called after it was sent. */
export interface Reply {
  readonly body?: object;
  readonly afterwards?: () => void;
}

/** Handles the requests of one client. */
export interface Adapter {
  /** Throws for a request that can't be carried out; the client receives the message. */
  handle(command: string, args: unknown): Promise<Reply>;
  /** Called once, after the client has disconnected. */
  close(): Promise<void>;
}

/** Sends an event to the client. */
export type SendEvent = (event: string, body?: object) => void;

/** Carries messages between a client and its adapter. Requests are handled in order, and each gets one response: an error if it is invalid or refused. */
export class DapConnection extends ProtocolServer {
  readonly #adapter: Adapter;
  #last: Promise<void> = Promise.resolve();
  #gone: () => void = () => undefined;
  /** Resolves when the client has disconnected and its adapter is closed. */
  readonly closed: Promise<void>;

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, create: (send: SendEvent) => Adapter) {
    super();
    this.#adapter = create((event, body) => this.sendEvent(new Event(event, body)));
    const gone = new Promise<void>((resolve) => {
      this.#gone = resolve;
      this.on('close', () => resolve());
      input.on('end', () => resolve());
    });
    this.closed = gone.then(() => this.#adapter.close());
    // A message that is not JSON has no number to answer to. Errors of a client that no longer reads are ignored.
    this.on('error', ({ body }: DebugProtocol.Event) => {
      if (String(body).startsWith('Error handling')) this.#report(String(body));
    });
    this.start(input, output);
  }

  override handleMessage(message: DebugProtocol.ProtocolMessage): void {
    if (typeof message === 'object' && message !== null && message.type === 'request') super.handleMessage(message);
    else this.#report('Only requests are accepted.');
  }

  protected override dispatchRequest(request: DebugProtocol.Request): void {
    this.#last = this.#last.then(() => this.#answer(request));
  }

  async #answer(request: DebugProtocol.Request): Promise<void> {
    const response: DebugProtocol.Response = new Response(request);
    try {
      const { body, afterwards } = await this.#adapter.handle(String(request.command), request.arguments);
      if (body) response.body = body;
      this.sendResponse(response);
      afterwards?.();
      if (request.command === 'disconnect') this.#gone();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.sendResponse(Object.assign(response, { success: false, message, body: { error: { id: 1, format: message, showUser: true } } }));
    }
  }

  #report(why: string): void {
    this.sendEvent(new Event('output', { category: 'stderr', output: `Ignored a message of the client: ${why}\n` }));
  }
}
