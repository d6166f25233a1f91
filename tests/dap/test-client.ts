import { spawn } from 'node:child_process';
import type { Duplex, Readable, Writable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { DapConnection } from '#main/hosts/dap/connection.ts';
import { DebugAdapter, type DebugAdapterOptions } from '#main/hosts/dap/debug-adapter.ts';
import { slowness } from '#main/testing/slowness.ts';

type Stopped = DebugProtocol.StoppedEvent['body'];

/** A client of the adapter: Microsoft's, with what the tests say often. */
export class TestClient extends DebugClient {
  readonly outputs: DebugProtocol.OutputEvent['body'][] = [];
  readonly events: string[] = [];
  #stops: Stopped[] = [];
  #onStop: ((body: Stopped) => void) | undefined;

  constructor() {
    super('', '', 'pravah');
    this.defaultTimeout = 20_000 * slowness;
    this.on('output', ({ body }: DebugProtocol.OutputEvent) => this.outputs.push(body));
    this.on('stopped', ({ body }: DebugProtocol.StoppedEvent) => {
      this.events.push('stopped');
      if (this.#onStop) this.#onStop(body);
      else this.#stops.push(body);
      this.#onStop = undefined;
    });
    for (const event of ['initialized', 'exited', 'terminated']) this.on(event, () => this.events.push(event));
  }

  override connect(readable: Readable, writable: Writable): void {
    super.connect(readable, writable);
  }

  /** Resolves at the next stop that was not read yet. */
  stopped(): Promise<Stopped> {
    const next = this.#stops.shift();
    return next
      ? Promise.resolve(next)
      : new Promise((resolve) => {
          this.#onStop = resolve;
        });
  }

  /** Frames of the stopped run, innermost first: `title line-endLine`. */
  async frames(): Promise<string[]> {
    const { body } = await this.stackTraceRequest({ threadId: 1 });
    return body.stackFrames.map(({ name, line, endLine, source }) => `${name} ${source?.name}:${line}-${endLine}`);
  }

  /** The variables of one scope of a frame, by name. */
  async scope(name: string, frame = 0): Promise<Record<string, DebugProtocol.Variable>> {
    const { stackFrames } = (await this.stackTraceRequest({ threadId: 1 })).body;
    const { scopes } = (await this.scopesRequest({ frameId: stackFrames[frame]?.id ?? 0 })).body;
    const found = scopes.find((each) => each.name === name);
    if (!found) throw new Error(`There is no scope ${name}: ${scopes.map((each) => each.name)}`);
    return this.inside(found.variablesReference);
  }

  async inside(variablesReference: number): Promise<Record<string, DebugProtocol.Variable>> {
    const { variables } = (await this.variablesRequest({ variablesReference })).body;
    return Object.fromEntries(variables.map((each) => [each.name, each]));
  }

  get text(): string {
    return this.outputs.map(({ output }) => output).join('');
  }
}

/** Connects a client with an adapter in this process. */
export function connected(options: Partial<DebugAdapterOptions> = {}): { client: TestClient; toAdapter: Duplex; closed: Promise<void> } {
  const [toAdapter, toClient] = [new PassThrough(), new PassThrough()];
  const { closed } = new DapConnection(
    toAdapter,
    toClient,
    (send) => new DebugAdapter({ allowCommand: [], allowHost: [], ...options }, send),
  );
  const client = new TestClient();
  client.connect(toClient, toAdapter);
  return { client, toAdapter, closed };
}

/** Starts an adapter as an editor does, and connects a client with it. */
export function startedClient(
  command: string,
  args: readonly string[],
  { cwd, home }: { readonly cwd: string; readonly home: string },
): TestClient & AsyncDisposable {
  const env = { ...process.env, PRAVAH_HOME: home, NO_COLOR: '1' };
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const client = new TestClient();
  client.connect(child.stdout, child.stdin);
  return Object.assign(client, {
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await exited;
    },
  });
}
