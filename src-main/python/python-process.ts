import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { minimalEnvironment } from '#main/platform/programs/environment.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { childProgram } from './child-program.ts';
import { findPython } from './find-python.ts';

/** Maximum characters of one line of output that are logged. */
const longestLine = 65_536;

interface Open {
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/** A Python process that calls functions of a trusted folder, one at a time. Modules that they import stay loaded until it ends. */
export class PythonProcess {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, Open>();
  #calls = 0;
  #ended: string | null = null;
  /** Receives what the functions print, line by line. */
  onLine: (line: string) => void = () => undefined;

  /** Starts the process. Throws `HandlerError` where no Python is found. */
  constructor(folder: string) {
    const child = spawn(findPython(folder), ['-u', '-c', childProgram, folder], {
      cwd: folder,
      env: pythonEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.#receive(line));
    createInterface({ input: child.stderr }).on('line', (line) => this.onLine(line.slice(0, longestLine)));
    // Reported by the exit.
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => this.#end(`Python could not start: ${error.message}`));
    child.on('exit', (code, signal) => this.#end(`the Python process ended (${signal ?? `exit code ${code}`})`));
    this.#hold(false);
  }

  get usable(): boolean {
    return this.#ended === null;
  }

  /** Calls a function by its dotted path. `kwargs` is JSON text, in which floats have a point. Rejects if the process ends. */
  call(name: string, kwargs: string): Promise<JsonObject> {
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) {
        reject(new Error(this.#ended));
        return;
      }
      this.#open.set(id, { resolve, reject });
      this.#hold(true);
      this.#child.stdin?.write(`{"id":${id},"name":${JSON.stringify(name)},"kwargs":${kwargs}}\n`);
    });
  }

  /** Ends the process and what it has started. A call in progress is rejected with this reason. */
  dispose(reason = 'the Python process was ended'): void {
    this.#end(reason);
    const { pid } = this.#child;
    try {
      if (pid !== undefined && process.platform !== 'win32') process.kill(-pid, 'SIGKILL');
      else this.#child.kill('SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }

  #receive(line: string): void {
    const message = parsed(line);
    if (!isJsonObject(message)) return;
    const id = message.id as number;
    this.#open.get(id)?.resolve(message);
    this.#open.delete(id);
    if (this.#open.size === 0) this.#hold(false);
  }

  #end(reason: string): void {
    this.#ended ??= reason;
    for (const { reject } of this.#open.values()) reject(new Error(this.#ended));
    this.#open.clear();
  }

  /** Whether this process waits for the child: only during a call. */
  #hold(held: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const part of [this.#child, stdin, stdout, stderr]) {
      const one = part as { ref?: () => void; unref?: () => void } | null;
      if (held) one?.ref?.();
      else one?.unref?.();
    }
  }
}

function parsed(line: string): Json {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return null;
  }
}

/** The environment of every program here, the user's path, and what PyFlow's own settings are called. */
function pythonEnvironment(): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => /^(PYFLOW_|PATH$|VIRTUAL_ENV$|PYENV_)/.test(name));
  return {
    ...minimalEnvironment(),
    ...(Object.fromEntries(own) as Record<string, string>),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONIOENCODING: 'utf-8',
  };
}
