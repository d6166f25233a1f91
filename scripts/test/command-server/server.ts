import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A command as the client hands it over. */
export interface CommandRequest {
  readonly words: readonly string[];
  /** The folder in which it was called. */
  readonly folder: string;
}

export interface CommandAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Answers commands until it is disposed of. */
export interface CommandServer extends AsyncDisposable {
  /** What to call instead of `pravah`. */
  readonly command: readonly string[];
  /** What the command needs in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** How many processes it has for commands now. */
  readonly processes: number;
}

const WORKER = join(import.meta.dirname, 'worker.ts');
const CLIENT = join(import.meta.dirname, 'client.cjs');

/**
 * Starts a server for a suite of hundreds of commands, of which each would load the whole program: a few processes run them through the
 * command line's own code, each one at a time. A process whose caller has gone away is ended, with all that the command left running.
 */
export async function startCommandServer(): Promise<CommandServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pravah-commands-'));
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${folder.replaceAll(/[\\/:]/g, '-')}` : join(folder, 'socket');
  const idle: ChildProcess[] = [];
  const workers = new Set<ChildProcess>();

  const takeWorker = (): ChildProcess => {
    const free = idle.pop();
    if (free) return free;
    const worker = fork(WORKER, [], { execArgv: ['--disable-warning=ExperimentalWarning'], env: { ...process.env, NO_COLOR: '1' } });
    workers.add(worker);
    worker.once('exit', () => workers.delete(worker));
    return worker;
  };

  const server = createServer(async (socket) => {
    const request = JSON.parse(await lineOf(socket)) as CommandRequest;
    const worker = takeWorker();
    const answer = await answerOf(worker, request, socket);
    if (workers.has(worker) && !worker.killed) idle.push(worker);
    socket.end(JSON.stringify(answer));
  });
  server.listen(address);
  await once(server, 'listening');
  return {
    command: [process.execPath, CLIENT],
    env: { PRAVAH_COMMAND_SOCKET: address },
    get processes() {
      return workers.size;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      await Promise.all([...workers].map((worker) => stopped(worker)));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function lineOf(socket: Socket): Promise<string> {
  const [line] = (await once(createInterface({ input: socket }), 'line')) as [string];
  return line;
}

/** Runs a command in a worker. A worker that ends meanwhile is an answer, too. */
function answerOf(worker: ChildProcess, request: CommandRequest, caller: Socket): Promise<CommandAnswer> {
  const { promise, resolve } = Promise.withResolvers<CommandAnswer>();
  const onExit = (code: number | null, signal: string | null) =>
    resolve({ code: code ?? 70, stdout: '', stderr: `The command ended its process (${signal ?? code}).\n` });
  const onClose = () => worker.kill('SIGKILL');
  worker.once('message', (answer) => resolve(answer as CommandAnswer));
  worker.once('exit', onExit);
  caller.once('close', onClose).on('error', onClose);
  worker.send(request);
  return promise.finally(() => {
    worker.off('exit', onExit);
    caller.off('close', onClose);
  });
}

async function stopped(worker: ChildProcess): Promise<void> {
  const ended = once(worker, 'exit');
  worker.kill('SIGKILL');
  await ended;
}
