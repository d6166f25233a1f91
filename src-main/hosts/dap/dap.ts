import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { printLine } from '#main/hosts/cli/output/terminal.ts';
import { DapConnection } from './connection.ts';
import { DebugAdapter } from './debug-adapter.ts';
import type { TargetOptions } from './targets.ts';

export interface DapOptions extends TargetOptions {
  readonly port?: string;
  readonly json?: boolean;
}

/** `pravah dap`: speaks the Debug Adapter Protocol on standard input and output, or with `--port` to clients on this machine. */
export async function dap(options: DapOptions): Promise<number> {
  await using ending = new Ending();
  if (options.port === undefined) {
    const { closed } = new DapConnection(process.stdin, process.stdout, (send) => ending.adapter(new DebugAdapter(options, send)));
    await Promise.race([closed, ending.requested]);
    return exitCodes.success;
  }
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`Invalid --port ${options.port}: use a number from 0 to 65535.`);
  const token = randomBytes(24).toString('base64url');
  const server = createServer((socket) => {
    const { closed } = new DapConnection(socket, socket, (send) => ending.adapter(new DebugAdapter({ ...options, token }, send)));
    void closed.then(() => socket.end());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  printLine(options.json ? JSON.stringify({ port: address.port, token }) : `Listening on 127.0.0.1:${address.port}, token ${token}`);
  await ending.requested;
  server.close();
  return exitCodes.success;
}

/** The end of the program by a signal, at which every run is left paused. */
class Ending implements AsyncDisposable {
  readonly requested: Promise<void>;
  readonly #adapters = new Set<DebugAdapter>();

  constructor() {
    this.requested = new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
  }

  /** Closes an adapter at the end. */
  adapter(adapter: DebugAdapter): DebugAdapter {
    this.#adapters.add(adapter);
    return adapter;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#adapters].map((adapter) => adapter.close()));
    // A client that is still connected must not keep the process.
    setImmediate(() => process.exit(process.exitCode));
  }
}
