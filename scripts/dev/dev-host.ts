import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { ROOT } from '#scripts/checks/source-files.ts';
import { httpPort } from '#shared/contract/http-port.ts';

/** Headers of a browser whose user typed the address: the only requests that the web host hands its page to. */
const typedAddress = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** The web host as a child process that runs from the sources and can be restarted. */
export class DevHost {
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #lines: Interface | undefined;
  #port = '0';

  /** `args`: further arguments of the web host, such as `--folder DIR`. */
  constructor(args: readonly string[]) {
    this.#args = args;
    process.once('exit', () => this.#child?.kill());
  }

  /** The host's own address; a restart keeps it. */
  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the host, or restarts it. Rejects when it ends before it reports its address. */
  async restart(): Promise<void> {
    await this.close();
    const main = join(ROOT, 'src-main', 'hosts', 'web', 'main.ts');
    const child = spawn(process.execPath, [main, '--json', '--no-open', '--port', this.#port, ...this.#args], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout });
    this.#port = (await this.#nextLink()).port;
  }

  /** A token that a page makes its calls with, obtained from the host as a browser does. */
  async newPageToken(): Promise<string> {
    const link = this.#nextLink();
    this.#child?.stdin?.write('\n');
    const html = await read(await link);
    const token = new RegExp(`name="${httpPort.tokenMeta}" content="([^"]+)"`).exec(html)?.[1];
    if (!token) throw new Error(`The web host returned no page token: ${html}`);
    return token;
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  async #nextLink(): Promise<URL> {
    if (!this.#lines || !this.#child) throw new Error('The web host is not running.');
    const abort = new AbortController();
    const line = once(this.#lines, 'line', abort) as Promise<[string]>;
    const exit = once(this.#child, 'exit', abort).then(() => {
      throw new Error('The web host ended. Its output above says why; save a file to start it again.');
    });
    try {
      const [message] = await Promise.race([line, exit]);
      return new URL((JSON.parse(message) as { readonly url: string }).url);
    } finally {
      abort.abort();
      for (const promise of [line, exit]) promise.catch(() => undefined);
    }
  }
}

/** Not by `fetch`, which sets `sec-fetch-mode` itself. */
async function read(url: URL): Promise<string> {
  const [response] = (await once(get(url, { headers: typedAddress }), 'response')) as [IncomingMessage];
  return text(response);
}
