import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ProcessMark } from '#main/platform/programs/marked-processes.ts';

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Maximum bytes of a message. */
  readonly largestMessage: number;
  readonly onErrorOutput: (chunk: Buffer) => void;
}

/** Milliseconds for a program to exit after its input has ended, and then after SIGTERM. */
const closePatience = 400;
const termPatience = 1000;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * The MCP transport for a program's standard input and output, like the SDK's, but in its own process group, which is killed when the program
 * has ended. For POSIX systems.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: ServerProgram;
  readonly #buffer: ReadBuffer;
  readonly #mark = new ProcessMark();
  #child: Child | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(program: ServerProgram) {
    this.#program = program;
    this.#buffer = new ReadBuffer({ maxBufferSize: program.largestMessage });
  }

  /** Starts the program. Rejects if it does not exist. */
  start(): Promise<void> {
    const { command, args, cwd, env, onErrorOutput } = this.#program;
    const child = spawn(command, args, {
      cwd,
      env: this.#mark.mark({ ...getDefaultEnvironment(), ...env }),
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.on('data', onErrorOutput);
    this.#ended = new Promise((resolve) => {
      // Processes that the program left running may keep its output open.
      child.once('exit', () => void this.#killAll(child).finally(() => resolve()));
      child.once('error', () => resolve());
    });
    child.once('close', () => {
      this.#child = undefined;
      this.onclose?.();
    });
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.#child = undefined;
        reject(error);
        this.onerror?.(error);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin) return Promise.reject(new Error('Not connected.'));
    return new Promise((resolve) => {
      if (stdin.write(serializeMessage(message))) resolve();
      else stdin.once('drain', resolve);
    });
  }

  /** Ends the program's input, then the program, then its process group. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#buffer.clear();
    if (!child) return this.#ended;
    child.stdin.end();
    const timers = [
      setTimeout(() => signalGroup(child, 'SIGTERM'), closePatience),
      setTimeout(() => signalGroup(child, 'SIGKILL'), closePatience + termPatience),
    ];
    await this.#ended;
    for (const timer of timers) clearTimeout(timer);
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }

  async #killAll(child: Child): Promise<void> {
    signalGroup(child, 'SIGKILL');
    await this.#mark.killAll();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function signalGroup({ pid }: Child, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}
