import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { startInTime, startLimitMs } from '#main/testing/start-in-time.ts';

/** A real Ollama server on loopback with one model created from a GGUF file. */
export class OllamaServer {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, child: ChildProcess, folder: string) {
    this.port = port;
    this.#child = child;
    this.#folder = folder;
  }

  /** Starts `program` and creates the model `name` from `file`. The server gets its own home folder and none of this process's settings. */
  static start(program: string, name: string, file: string): Promise<OllamaServer> {
    // Creating the model copies the file, which takes several times as long as the start.
    return startInTime('The Ollama server', (signal) => OllamaServer.#start(program, name, file, signal), 3 * startLimitMs);
  }

  static async #start(program: string, name: string, file: string, signal: AbortSignal): Promise<OllamaServer> {
    const folder = mkdtempSync(join(tmpdir(), 'pravah-ollama-'));
    const port = await freePort();
    const env = { PATH: process.env.PATH, HOME: folder, OLLAMA_HOST: `127.0.0.1:${port}`, OLLAMA_MODELS: join(folder, 'models') };
    const child = spawn(program, ['serve'], { env: { ...env, OLLAMA_NUM_PARALLEL: '1' }, stdio: ['ignore', 'ignore', 'pipe'] });
    const server = new OllamaServer(port, child, folder);
    signal.addEventListener('abort', () => server.stop('SIGKILL'));
    try {
      await listening(child.stderr);
      const description = join(folder, 'Modelfile');
      writeFileSync(description, `FROM ${file}\nPARAMETER num_ctx 1024\nPARAMETER num_thread 1\nPARAMETER temperature 0\n`);
      const making = spawn(program, ['create', name, '-f', description], { env, stdio: 'ignore' });
      const [code] = await once(making, 'exit', { signal });
      if (code !== 0) throw new Error(`ollama create ended with code ${code}.`);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** Stops the server and removes its files. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill(signal);
      await once(this.#child, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Waits until the server listens, and keeps draining its output, because it would block on a full pipe. */
async function listening(messages: Readable): Promise<void> {
  const heard: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const lines = createInterface(messages);
    lines.on('line', (line) => {
      if (heard.length < 20) heard.push(line);
      if (line.includes('Listening on')) resolve();
    });
    lines.on('close', () => reject(new Error(`ollama serve ended: ${heard.join('\n')}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
