import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromLlama, LlamaAnswer, LlamaFailureKind, LlamaLoading, LlamaRequest, ToLlama } from './llama-messages.ts';

/** How long a process may take to abandon an answer before it is killed, in milliseconds. Prompt batches cannot be interrupted. */
const patience = 700;

/** JavaScript heap limit of a model's process in megabytes; the model's memory does not count. */
const heapLimit = 512;

/** Environment variables for the child; none contains a key. */
const passedOn = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'SystemRoot', 'LD_LIBRARY_PATH', 'XDG_CACHE_HOME', 'NODE_COMPILE_CACHE'];

/** A failure reported by the process; `died` if it ended during a request. */
export class LlamaProcessError extends Error {
  readonly kind: LlamaFailureKind | 'died';

  constructor(kind: LlamaFailureKind | 'died', message: string) {
    super(message);
    this.kind = kind;
  }
}

interface Waiting {
  readonly onPiece: (part: 'text' | 'reasoning', text: string) => void;
  readonly resolve: (answer: LlamaAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Client of a model's process, which is started at the first request and restarted after it has ended. */
export class LlamaProcess {
  readonly #loading: LlamaLoading;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #nextId = 1;

  constructor(loading: LlamaLoading) {
    this.#loading = loading;
  }

  /** Process id while the process runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Requests an answer. Rejects with `LlamaProcessError`, or immediately with the signal's reason when aborted. */
  complete(request: LlamaRequest, signal: AbortSignal, onPiece: Waiting['onPiece']): Promise<LlamaAnswer> {
    signal.throwIfAborted();
    const child = this.#running();
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise<LlamaAnswer>((resolve, reject) => {
      const onAbort = () => {
        this.#cancel(child, id);
        reject(signal.reason);
      };
      const settled = () => signal.removeEventListener('abort', onAbort);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(id, {
        onPiece: (part, text) => {
          if (!signal.aborted) onPiece(part, text);
        },
        resolve: (answer) => {
          settled();
          resolve(answer);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      child.ref();
      child.channel?.ref();
      send(child, { type: 'complete', id, request });
    });
  }

  /** Ends the process; pending requests reject. */
  close(): void {
    this.#child?.kill();
  }

  #running(): ChildProcess {
    if (this.#child) return this.#child;
    const environment = Object.fromEntries(
      passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    );
    const child = fork(fileURLToPath(new URL('./llama-child.ts', import.meta.url)), [], {
      // In the desktop application the executable is Electron, which this variable makes behave like Node.
      env: { ...environment, ...(process.versions.electron && { ELECTRON_RUN_AS_NODE: '1' }) },
      execArgv: [`--max-old-space-size=${heapLimit}`, '--disable-warning=ExperimentalWarning'],
      // Ignore what llama.cpp prints.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (message: FromLlama) => this.#onMessage(child, message));
    child.on('error', (error) => this.#ended(child, error.message));
    child.on('exit', (code, killed) => this.#ended(child, killed ? `it was ended by ${killed}` : `it ended with code ${code}`));
    send(child, { type: 'load', loading: this.#loading });
    this.#child = child;
    return child;
  }

  #onMessage(child: ChildProcess, message: FromLlama): void {
    const waiting = this.#waiting.get(message.id);
    if (message.type === 'delta') {
      waiting?.onPiece(message.part, message.text);
      return;
    }
    this.#settle(child, message.id);
    if (message.type === 'answer') waiting?.resolve(message.answer);
    if (message.type === 'failure') waiting?.reject(new LlamaProcessError(message.kind, message.message));
    // A model that failed to load may load next time.
    if (message.type === 'failure' && (message.kind === 'load' || message.kind === 'memory')) child.kill();
  }

  /** Abandons an answer. Kills the process if it does not stop in time; the next request starts another. */
  #cancel(child: ChildProcess, id: number): void {
    send(child, { type: 'cancel', id });
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    const done = (message: FromLlama) => {
      if (message.type !== 'delta' && message.id === id) clear();
    };
    const clear = () => {
      clearTimeout(timer);
      child.off('message', done);
    };
    child.on('message', done);
    child.once('exit', clear);
  }

  #settle(child: ChildProcess, id: number): void {
    this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    // An idle process must not keep this one alive.
    child.unref();
    child.channel?.unref();
  }

  #ended(child: ChildProcess, how: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new LlamaProcessError('died', how));
  }
}

function send(child: ChildProcess, message: ToLlama): void {
  // The exit event reports a process that has just died.
  if (child.connected) child.send(message, () => undefined);
}
