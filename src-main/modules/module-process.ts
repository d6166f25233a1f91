import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FromChild, ModuleOutcome, ModuleRequest, ToChild, ToolReply } from '#main/modules/messages.ts';
import type { Json } from '#shared/json.ts';

/** What a request may ask for while it is under way. */
export interface ModuleListener {
  log?(values: readonly Json[]): void;
  /** Rejects where the whole call is to be given up. */
  tool?(call: number, name: string, input: Json): Promise<ToolReply>;
}

interface Open {
  readonly listener: ModuleListener;
  readonly resolve: (outcome: ModuleOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** What is kept of the end of it, in characters, to say why a process ended. */
const kept = 4096;
/** How long the last words of a process that has ended are waited for, in milliseconds: a program that it started may hold its output open. */
const lastWords = 200;
/** Variables that the workspace's code sees: none that may hold a key. Where Node keeps what it compiles, one process finds it after the other. */
const passedOn = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE'];

/**
 * A Node process that runs a trusted workspace's own code, so that what it does (an endless loop, an exit, a global) stays out of
 * this one. It has a small environment without keys, and ends with this process.
 */
export class ModuleProcess {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, Open>();
  readonly #mostPrinted: number;
  #requests = 0;
  #ended: string | undefined;
  #printed = 0;
  #last = '';

  /** Starts the process in `folder`, a real path. What it prints beyond so many bytes is left out. */
  constructor(folder: string, mostPrinted = 1024 * 1024) {
    this.#mostPrinted = mostPrinted;
    const environment = Object.fromEntries(passedOn.map((name) => [name, process.env[name]]));
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
    child.on('error', (error) => this.#end(`no process for the workspace's code can be started (${error.message})`));
    const ended = () =>
      this.#end(`the process of the workspace's code ended (${child.signalCode ?? `code ${child.exitCode}`})${this.#why()}`);
    child.on('exit', () => setTimeout(ended, lastWords));
    child.on('close', ended);
    this.#hold(false);
  }

  get usable(): boolean {
    return this.#ended === undefined && this.#child.connected;
  }

  /** Asks the process for something. Resolves to how that ended; rejects when the process ends under it. */
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

  /** Ends the process, also in the middle of a request, which is then rejected with this reason. */
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
          this.#giveUp(message.id, error);
        }
        return;
      case 'tool':
        open.listener.tool?.(message.call, message.name, message.input).then(
          (reply) => this.#send({ type: 'tool_result', call: message.call, ...reply }),
          (error: unknown) => this.#giveUp(message.id, error),
        );
        return;
      case 'done':
        this.#close(message.id);
        open.resolve(message.outcome);
    }
  }

  #giveUp(id: number, error: unknown): void {
    const open = this.#open.get(id);
    this.#close(id);
    open?.reject(error);
  }

  #send(message: ToChild): void {
    if (!this.#child.connected) return;
    // A process that has just ended is reported by its end.
    this.#child.send(message, () => {});
  }

  #close(id: number): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#hold(false);
  }

  /** Keeps this process alive only while a request is under way. */
  #hold(held: boolean): void {
    const { channel, stdout, stderr } = this.#child;
    for (const handle of [this.#child, channel, stdout as Socket | null, stderr as Socket | null]) {
      if (held) handle?.ref();
      else handle?.unref();
    }
  }

  /** What the code prints is for people: standard output belongs to the command's own lines. */
  #print(chunk: Buffer): void {
    this.#last = (this.#last + chunk.toString('utf8')).slice(-kept);
    const left = this.#mostPrinted - this.#printed;
    if (left < 0) return;
    this.#printed += chunk.length;
    process.stderr.write(chunk.subarray(0, left));
    if (chunk.length > left) process.stderr.write("\n(The workspace's code prints more; the rest is left out.)\n");
  }

  /** The error that the process has printed last, as the end of a sentence. */
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
