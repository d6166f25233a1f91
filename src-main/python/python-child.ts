import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { PythonException, PythonValue } from '#main/engine/ports/python-process.ts';
import { ProcessMark } from '#main/platform/programs/marked-processes.ts';
import { ProcessGroup } from '#main/platform/programs/process-group.ts';
import type { Json } from '#shared/json.ts';
import { LineSplitter } from './line-splitter.ts';
import { type PythonRequest, requestText } from './message-text.ts';
import { pythonModules, pythonProgram } from './python-files.ts';

/** Maximum bytes of an answer, and of a line of output. */
const mostAnswered = 64 * 1024 * 1024;
const mostInLine = 64 * 1024;
/** How long to wait for the rest of the output of an ended process, in milliseconds: a program that it started may keep it open. */
const outputGrace = 200;

export interface PythonChildOptions {
  /** Path of the interpreter. */
  readonly python: string;
  /** Working folder: the workspace. */
  readonly folder: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Receives what the code prints. */
  readonly log: (line: string) => void;
  /** Receives Python's version when it is ready. */
  readonly onReady: (version: string) => void;
}

/** An answer of the process. */
export type PythonAnswer =
  | { readonly value: Json; readonly floats?: readonly string[]; readonly writes?: Readonly<Record<string, PythonValue>> }
  | { readonly error: PythonException }
  | { readonly not_json: string };

/** Why a process was ended; what it did last is unknown. */
export class PythonEnded extends Error {}

interface Open {
  readonly id: number;
  readonly resolve: (answer: PythonAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** One process with the user's Python, in its own process group. It answers one request at a time. */
export class PythonChild {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #group: ProcessGroup;
  readonly #mark = new ProcessMark();
  readonly #onReady: (version: string) => void;
  #open: Open | undefined;
  #requests = 0;
  #ended: string | undefined;

  constructor({ python, folder, project, env, log, onReady }: PythonChildOptions) {
    const paths = [...new Set([project, folder])];
    const options = JSON.stringify({ modules: pythonModules(), paths, project });
    this.#onReady = onReady;
    // Without bytecode files: a run changes nothing in the folder unless its code does.
    this.#child = spawn(python, ['-B', '-X', 'utf8', pythonProgram, options], {
      cwd: folder,
      env: this.#mark.mark(env),
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const child = this.#child;
    this.#group = new ProcessGroup(child);
    const answers = new LineSplitter(
      mostAnswered,
      (line) => this.#receive(line),
      () => this.end(`it answered more than ${mostAnswered / 1024 / 1024} MiB`),
    );
    const printed = new LineSplitter(mostInLine, log);
    child.stdout.on('data', (chunk: Buffer) => answers.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => printed.push(chunk));
    child.stderr.on('close', () => printed.flush());
    // The exit event reports a process that has just ended.
    child.stdin.on('error', () => {});
    child.on('error', (error) => this.#finish(`it cannot be started (${error.message})`));
    const ended = () => this.#finish(`it ended (${child.signalCode ?? `code ${child.exitCode}`})`);
    child.on('exit', () => setTimeout(ended, outputGrace));
    child.on('close', ended);
    this.#hold(false);
  }

  get usable(): boolean {
    return this.#ended === undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Sends a request; rejects with `PythonEnded` if the process ends first. */
  request(request: PythonRequest): Promise<PythonAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) throw new PythonEnded(this.#ended);
      this.#requests += 1;
      this.#open = { id: this.#requests, resolve, reject };
      this.#hold(true);
      this.#child.stdin.write(requestText(this.#requests, request));
    });
  }

  /** Kills the process and what it started. A request in progress is rejected with this reason. */
  end(reason: string): void {
    this.#group.signal('SIGKILL');
    void this.#mark.killAll();
    this.#finish(reason);
  }

  #receive(line: string): void {
    if (this.#ended !== undefined) return;
    const message = JSON.parse(line) as { readonly hello: string } | ({ readonly id: number } & PythonAnswer);
    if ('hello' in message) {
      this.#onReady(message.hello);
      return;
    }
    const open = this.#open;
    const { id, ...answer } = message;
    if (open?.id !== id) return;
    // What the call printed was written before its answer, and is read in the same turn of the event loop.
    setImmediate(() => {
      if (this.#open !== open) return;
      this.#open = undefined;
      this.#hold(false);
      open.resolve(answer);
    });
  }

  /** Keeps this process alive only during a request. */
  #hold(held: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const handle of [this.#child, stdin as Socket | null, stdout as Socket | null, stderr as Socket | null]) {
      if (held) handle?.ref();
      else handle?.unref();
    }
  }

  #finish(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    // What it started may still run.
    this.#group.signal('SIGKILL');
    this.#hold(false);
    const open = this.#open;
    this.#open = undefined;
    open?.reject(new PythonEnded(reason));
  }
}
