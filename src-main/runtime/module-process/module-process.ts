import { type ChildProcess, spawn } from 'node:child_process';
import { childProgram } from '#main/runtime/module-process/child-program.ts';
import type { Json } from '#shared/json.ts';

/** An error that a module's function threw. `call` is the tool call whose failure it is. */
export interface ModuleError {
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
  readonly retryable?: boolean;
  readonly call?: number;
}

type FromChild =
  | { readonly type: 'result'; readonly id: number; readonly value?: Json }
  | { readonly type: 'error'; readonly id: number; readonly error: ModuleError }
  | { readonly type: 'log'; readonly id: number; readonly values: readonly Json[] }
  | { readonly type: 'tool'; readonly id: number; readonly call: number; readonly name: string; readonly input: Json };

/** What a tool call comes to inside the module's function. */
export type ToolReply =
  | { readonly result: Json }
  | { readonly error: { readonly message: string; readonly variant: string; readonly code: string } };

/** One call of one exported function. */
export interface ModuleCall {
  /** Real path. */
  readonly file: string;
  readonly export: string;
  readonly args: readonly Json[];
  readonly node: string;
  readonly tools: readonly string[];
  readonly now: number;
  readonly seed: number;
  log(values: readonly Json[]): void;
  /** Rejects where the whole call is to be given up. */
  tool(call: number, name: string, input: Json): Promise<ToolReply>;
}

export type ModuleOutcome = { readonly value: Json | undefined } | { readonly error: ModuleError };

interface Open {
  readonly call: ModuleCall;
  readonly resolve: (outcome: ModuleOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A Node process that runs a trusted workspace's own functions, so that what they do (an endless loop, an exit, a global) stays out of
 * this one. It has a small environment without keys, and ends with this process.
 */
export class ModuleProcess {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, Open>();
  #calls = 0;
  #ended = false;

  /** Starts the process in `folder`. */
  constructor(folder: string) {
    const environment = Object.fromEntries(['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'SystemRoot'].map((name) => [name, process.env[name]]));
    this.#child = spawn(process.execPath, ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', childProgram], {
      cwd: folder,
      env: { ...environment, ...(process.versions.electron && { ELECTRON_RUN_AS_NODE: '1' }) },
      // What it prints is for people: standard output belongs to the command's own lines.
      stdio: ['ignore', process.stderr.fd, process.stderr.fd, 'ipc'],
    });
    this.#child.on('message', (message) => this.#receive(message as FromChild));
    this.#child.on('exit', (code, signal) => this.#end(`the process of the workspace's code ended (${signal ?? `code ${code}`})`));
    this.#child.on('error', (error) => this.#end(`no process for the workspace's code can be started (${error.message})`));
    this.#hold(false);
  }

  get usable(): boolean {
    return !this.#ended;
  }

  /** Calls a function. Resolves to what it returned or threw; rejects when the process ends under it. */
  call(call: ModuleCall): Promise<ModuleOutcome> {
    this.#calls += 1;
    const id = this.#calls;
    const { file, export: name, args, node, tools, now, seed } = call;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { call, resolve, reject });
      this.#hold(true);
      this.#send({ type: 'call', id, file, export: name, args, node, tools, now, seed });
    });
  }

  /** Ends the process, also in the middle of a call. */
  dispose(): void {
    this.#child.kill('SIGKILL');
    this.#end("the process of the workspace's code was ended");
  }

  #receive(message: FromChild): void {
    const open = this.#open.get(message.id);
    if (!open) return;
    switch (message.type) {
      case 'log':
        try {
          open.call.log(message.values);
        } catch (error) {
          this.#giveUp(message.id, error);
        }
        return;
      case 'tool':
        open.call.tool(message.call, message.name, message.input).then(
          (reply) => this.#send({ type: 'tool_result', call: message.call, ...reply }),
          (error: unknown) => this.#giveUp(message.id, error),
        );
        return;
      case 'result':
        this.#close(message.id);
        open.resolve({ value: message.value });
        return;
      case 'error':
        this.#close(message.id);
        open.resolve({ error: message.error });
    }
  }

  #giveUp(id: number, error: unknown): void {
    const open = this.#open.get(id);
    this.#close(id);
    open?.reject(error);
  }

  #send(message: object): void {
    if (!this.#child.connected) return;
    // A process that has just ended is reported by its exit.
    this.#child.send(message, () => {});
  }

  #close(id: number): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#hold(false);
  }

  /** Keeps this process alive only while a call is under way. */
  #hold(held: boolean): void {
    if (held) {
      this.#child.ref();
      this.#child.channel?.ref();
    } else {
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }

  #end(reason: string): void {
    this.#ended = true;
    for (const { reject } of this.#open.values()) reject(new Error(reason));
    this.#open.clear();
  }
}
