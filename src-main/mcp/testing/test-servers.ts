import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startInTime } from '#main/testing/start-in-time.ts';
import type { McpServerSettings } from '#main/workspace/settings.ts';

const packages = new URL('../../../node_modules/@modelcontextprotocol/', import.meta.url);
const program = (path: string) => fileURLToPath(new URL(path, packages));

/** A server in this folder, or one of the reference servers, run with this Node executable. */
export const wayward = stdio(fileURLToPath(new URL('wayward-server.ts', import.meta.url)));
export const everything = stdio(program('server-everything/dist/index.js'), 'stdio');
export const filesystem = (folder: string) => stdio(program('server-filesystem/dist/index.js'), folder);

function stdio(...args: string[]): Extract<McpServerSettings, { command: string }> {
  return { command: process.execPath, args: ['--disable-warning=ExperimentalWarning', ...args], env: {} };
}

interface HttpServer extends AsyncDisposable {
  readonly url: string;
}

/** The everything server over streamable HTTP on loopback, for a test. */
export const everythingOverHttp = (): Promise<HttpServer> => startInTime('The everything server', startEverything);

async function startEverything(signal: AbortSignal): Promise<HttpServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [program('server-everything/dist/index.js'), 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  signal.addEventListener('abort', () => child.kill('SIGKILL'));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => line.includes('listening') && resolve());
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
