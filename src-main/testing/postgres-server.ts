import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { skipUnless } from './skip-unless.ts';

/** Folder with PostgreSQL's programs; empty where it was not provisioned. */
const programs = process.env.PRAVAH_TEST_POSTGRES ?? '';

/** Whether tests with PostgreSQL must be skipped, for `skipIf`; notes it in one line if so. */
export function withoutPostgres(tests: string): boolean {
  return skipUnless(programs !== '' && programs !== 'no', tests, 'PostgreSQL is not installed');
}

/** A PostgreSQL server of a test, on a loopback port of its own and with a folder of its own. */
export class PostgresServer {
  readonly #folder: string;
  readonly #port: number;
  #child: ChildProcess | undefined;
  #databases = 0;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  /** Makes a server with empty databases, and starts it. */
  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'pravah-postgres-'));
    const user = unprivileged();
    if (user) chownSync(folder, user.uid, user.gid);
    chmodSync(folder, 0o755);
    const options = ['-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8', '--locale=C'];
    const { status, stderr } = spawnSync(join(programs, 'initdb'), ['-D', join(folder, 'data'), ...options], {
      cwd: folder,
      encoding: 'utf8',
      ...user,
    });
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
    const server = new PostgresServer(folder, await freePort());
    await server.restart();
    return server;
  }

  /** Starts it after `stop`. */
  async restart(): Promise<void> {
    // What a crash of the machine loses does not matter here.
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200'];
    const args = ['-D', join(this.#folder, 'data'), '-p', String(this.#port), ...settings.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(programs, 'postgres'), args, { cwd: this.#folder, stdio: ['ignore', 'ignore', 'pipe'], ...unprivileged() });
    this.#child = child;
    endWithProcess.add(child);
    let log = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    while (!log.includes('ready to accept connections')) {
      if (child.exitCode !== null) throw new Error(`postgres ended: ${log}`);
      await wait(20);
    }
  }

  /** Ends it at once, as a crash does; clients lose their connections. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGQUIT');
    await ended;
    endWithProcess.delete(child);
  }

  /** Makes an empty database, and returns its address. */
  async database(): Promise<string> {
    const { default: pg } = await import('pg');
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    const client = new pg.Client(this.#url('postgres'));
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return this.#url(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`;
  }
}

/** Servers that are ended when a test process ends before them. */
const endWithProcess = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of endWithProcess) child.kill('SIGQUIT');
});

/** PostgreSQL refuses to run as root; then it runs as its own user, or as the one without rights. Null: as the user of the tests. */
function unprivileged(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([, , uid]) => uid === '65534');
  if (!found) throw new Error('There is no user that PostgreSQL can run as.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
