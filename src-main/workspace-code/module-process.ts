import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { CodeProcess, ModuleListener, ModuleOutcome } from '#main/engine/ports/code-process.ts';
import { codeEnvironment } from '#main/platform/programs/environment.ts';
import type { FromChild, ModuleRequest, ToChild } from './messages.ts';

interface Open {
  readonly listener: ModuleListener;
  readonly resolve: (outcome: ModuleOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum characters of the end of the output, to report why a process ended. */
const kept = 4096;
/** How long to wait for the rest of the output of an ended process, in milliseconds: a program that it started may keep it open. */
const outputGrace = 200;

/**
 * A Node process that runs a trusted workspace's own code, so that an endless loop, an exit or a changed global does not affect this process.
 * It has a small environment without keys, and ends with this process.
 */
export class ModuleProcess implements CodeProcess {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, Open>();
  readonly #mostPrinted: number;
  #requests = 0;
  #ended: string | undefined;
  #printed = 0;
  #last = '';

  /** Starts the process in `folder`, a real path. Output beyond the limit is dropped. */
  constructor(folder: string, mostPrinted = 1024 * 1024) {
    this.#mostPrinted = mostPrinted;
    // Node's compile cache is shared by the processes.
    const environment = { ...codeEnvironment(), NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
    const program = fileURLToPath(new URL('./child/main.ts', import.meta.url));
    const flags = ['--disable-warning=ExperimentalWarning', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
    const child = spawn(process.execPath, [...flags, program], {
      cwd: folder,
      env: { ...environment, ...(process.versions.electron && { ELECTRON_RUN_AS_NODE: '1' }) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => this.#print(chunk));
    child.on('message', (message) => this.#receive(message as FromChild));
    child.on('error', (error) => this.#end(`cannot start a process for the workspace's code (${error.message})`));
    const ended = () =>
      this.#end(`the process of the workspace's code ended (${child.signalCode ?? `code ${child.exitCode}`})${this.#why()}`);
    child.on('exit', () => setTimeout(ended, outputGrace));
    child.on('close', ended);
    this.#hold(false);
  }

  get usable(): boolean {
    return this.#ended === undefined && this.#child.connected;
  }

  /** Sends a request and resolves with its outcome; rejects if the process ends. */
  request(request: ModuleRequest, listener: ModuleListener = {}): Promise<ModuleOutcome> {
    this.#requests += 1;
    const id = this.#requests;
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) throw new Error(this.#ended);
      this.#open.set(id, { listener, resolve, reject });
      this.#hold(true);
      this.#send({ type: 'request', id, request });
    });
  }

  /** Ends the process. A request in progress is rejected with this reason. */
  dispose(reason = "the process of the workspace's code was ended"): void {
    this.#child.kill('SIGKILL');
    this.#end(reason);
  }

  #receive(message: FromChild): void {
    const open = this.#open.get(message.id);
    if (!open) return;
    switch (message.type) {
      case 'log':
        try {
          open.listener.log?.(message.values);
        } catch (error) {
          this.#rejectAll(message.id, error);
        }
        return;
      case 'tool':
        open.listener.tool?.(message.call, message.name, message.input).then(
          (reply) => this.#send({ type: 'tool_result', call: message.call, ...reply }),
          (error: unknown) => this.#rejectAll(message.id, error),
        );
        return;
      case 'done':
        this.#close(message.id);
        open.resolve(message.outcome);
    }
  }

  #rejectAll(id: number, error: unknown): void {
    const open = this.#open.get(id);
    this.#close(id);
    open?.reject(error);
  }

  #send(message: ToChild): void {
    if (!this.#child.connected) return;
    // The exit event reports a process that has just ended.
    this.#child.send(message, () => {});
  }

  #close(id: number): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#hold(false);
  }

  /** Keeps this process alive only during a request. */
  #hold(held: boolean): void {
    const { channel, stdout, stderr } = this.#child;
    for (const handle of [this.#child, channel, stdout as Socket | null, stderr as Socket | null]) {
      if (held) handle?.ref();
      else handle?.unref();
    }
  }

  /** The code's output goes to standard error, because standard output belongs to the command. */
  #print(chunk: Buffer): void {
    this.#last = (this.#last + chunk.toString('utf8')).slice(-kept);
    const left = this.#mostPrinted - this.#printed;
    if (left < 0) return;
    this.#printed += chunk.length;
    process.stderr.write(chunk.subarray(0, left));
    if (chunk.length > left) process.stderr.write("\n(More output of the workspace's code was dropped.)\n");
  }

  /** The last error that the process printed, as the end of a sentence. */
  #why(): string {
    const error = this.#last.split('\n').findLast((line) => /^(?:\w*Error\b|FATAL ERROR)/.test(line));
    return error === undefined ? '' : `: ${error.trim().slice(0, 300)}`;
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#hold(false);
    for (const { reject } of this.#open.values()) reject(new Error(reason));
    this.#open.clear();
  }
}
