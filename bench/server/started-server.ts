import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');

/** A server in a process of its own, in a temporary folder. */
export class StartedServer implements Disposable {
  readonly url: string;
  readonly folder: string;
  readonly #child: ChildProcess;

  private constructor(url: string, folder: string, child: ChildProcess) {
    this.url = url;
    this.folder = folder;
    this.#child = child;
  }

  /** Starts a program and reads its address from the first line that has one. Rejects if it ends before. */
  static async start(program: string, args: readonly string[], folder: string, env: NodeJS.ProcessEnv = {}): Promise<StartedServer> {
    const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => {
      errors = `${errors}${data}`.slice(-2000);
    });
    const url = await new Promise<string>((found, fail) => {
      const look = (line: string) => {
        const [address] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
        if (address !== undefined) found(address);
      };
      for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', look);
      child.once('exit', (code) => fail(new Error(`${program} ended with code ${code}: ${errors}`)));
      child.once('error', fail);
    });
    return new StartedServer(url, folder, child);
  }

  /** Resident memory in MB. Linux only; NaN elsewhere. */
  get memory(): number {
    try {
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) / 1024;
    } catch {
      return Number.NaN;
    }
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pravah-bench-server-'));
}

/** `pravah serve` with these flows, and tokens of the scope `run`. */
export async function startPravah(flows: Readonly<Record<string, string>>, tokens = 1) {
  const folder = emptyFolder();
  for (const [path, text] of Object.entries({ 'pravah.json': '{}', ...flows })) writeFileSync(join(folder, path), text);
  const env = { PRAVAH_HOME: join(folder, '.home'), DATABASE_URL: '' };
  const data = join(folder, '.data');
  const command = join(root, 'bin/pravah');
  const options = ['--folder', folder, '--data', data, '--port', '0', '--rate', '1000000', '--quiet'];
  const server = await StartedServer.start(command, ['serve', ...options], folder, env);
  const made = Array.from({ length: tokens }, (_, at) =>
    spawnSync(command, ['token', 'create', `bench${at}`, '--scope', 'run', '--data', data], { env: { ...process.env, ...env } }),
  );
  return { server, tokens: made.map(({ stdout }) => stdout.toString().trim()) };
}
