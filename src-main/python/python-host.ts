import type { PythonCall, PythonCaller, PythonOutcome, PythonTools } from '#main/engine/ports/python-process.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import { onAbort } from '#main/engine/step/on-abort.ts';
import type { JsonObject } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import { findProject } from './find-project.ts';
import { findPython } from './find-python.ts';
import type { PythonRequest } from './message-text.ts';
import { type PythonAnswer, PythonChild, PythonEnded } from './python-child.ts';
import { pythonEnvironment } from './python-environment.ts';

/** Time limit of a call, in seconds. */
export const defaultPythonTimeout = 60;
/** Maximum lines of output of a call that enter the log. */
const mostLines = 1000;
/** The oldest version for which PyFlow is made. */
const oldest = [3, 11] as const;

export interface PythonOptions {
  /** Real path of a trusted workspace. */
  readonly folder: string;
  /** The interpreter that `pravah.json` names: a path, or a name on the search path. */
  readonly interpreter?: string | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
  /** Environment variables that `pravah.json` passes on, besides `PYFLOW_*`. */
  readonly env?: readonly string[];
  /** Variables of the folder's `.env`. */
  readonly dotEnv?: Readonly<Record<string, string>>;
}

/** The process of one project. */
interface Hosted {
  child: PythonChild | undefined;
  /** Calls wait here for each other: the process answers one at a time. */
  queue: Promise<unknown>;
  starts: number;
  /** Output that no call has received yet. */
  readonly lines: string[];
  log: ((line: string) => void) | undefined;
}

const noCaller: PythonCaller = { signal: new AbortController().signal, log: () => undefined };

/** The processes with a trusted folder's Python: one for each project, started on first use and again after it has ended. */
export class PythonHost {
  readonly #options: PythonOptions;
  readonly #hosted = new Map<string, Hosted>();

  constructor(options: PythonOptions) {
    this.#options = options;
  }

  async call({ flow, ...request }: PythonCall, caller: PythonCaller): Promise<PythonOutcome> {
    const answer = await this.#ask(flow, request, caller);
    return 'value' in answer ? { floats: [], writes: {}, ...answer } : answer;
  }

  async tools(flow: string | undefined, dotted: readonly string[] = []): Promise<PythonTools> {
    const kwargs = { value: { names: [...dotted] }, floats: [] };
    const answer = await this.#ask(flow, { kind: 'describe', name: 'the tools of the project', kwargs }, noCaller);
    return resultOf<PythonTools>(answer);
  }

  async check(flow: string | undefined, name: string, keys: readonly string[]): Promise<string | null> {
    const kwargs = { value: Object.fromEntries(keys.map((key) => [key, null])) as JsonObject, floats: [] };
    const answer = await this.#ask(flow, { kind: 'check', name, kwargs }, noCaller);
    return 'error' in answer ? `${answer.error.type}: ${answer.error.message}` : resultOf<string | null>(answer);
  }

  close(): void {
    for (const { child } of this.#hosted.values()) child?.end('the run has ended');
  }

  /** Waits for its turn, so that a call's time limit does not include other calls. */
  #ask(flow: string | undefined, request: PythonRequest, caller: PythonCaller): Promise<PythonAnswer> {
    const project = findProject(this.#options.folder, flow);
    const hosted = this.#hosted.get(project) ?? { child: undefined, queue: Promise.resolve(), starts: 0, lines: [], log: undefined };
    this.#hosted.set(project, hosted);
    const answer = hosted.queue.then(() => this.#perform(hosted, project, request, caller));
    hosted.queue = answer.catch(() => undefined);
    return answer;
  }

  async #perform(hosted: Hosted, project: string, request: PythonRequest, { signal, log }: PythonCaller): Promise<PythonAnswer> {
    if (signal.aborted) throw cancelled(request.name);
    let lines = 0;
    hosted.log = (line) => {
      lines += 1;
      if (lines <= mostLines) log(line);
      else if (lines === mostLines + 1) log(`(More than ${mostLines.toLocaleString('en')} lines were printed; the rest was dropped.)`);
    };
    for (const line of hosted.lines.splice(0)) hosted.log(line);
    const child = hosted.child?.usable ? hosted.child : await this.#start(hosted, project, hosted.log);
    const seconds = this.#options.timeout ?? defaultPythonTimeout;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.end('it took too long');
    }, seconds * 1000);
    const forget = onAbort(signal, () => child.end('the run was cancelled'));
    try {
      return await child.request(request);
    } catch (error) {
      if (!(error instanceof PythonEnded)) throw error;
      if (late) throw timedOut(request.name, seconds);
      if (signal.aborted) throw cancelled(request.name);
      const message = `Python did not finish ${request.name}: ${error.message}. Check what it was doing before you run it again.`;
      throw new FlowError('HandlerError', message, { retryable: false });
    } finally {
      clearTimeout(timer);
      forget();
      hosted.log = undefined;
    }
  }

  async #start(hosted: Hosted, project: string, log: (line: string) => void): Promise<PythonChild> {
    const { folder, interpreter, env = [], dotEnv = {} } = this.#options;
    const python = await findPython({ folder, project, interpreter });
    if (hosted.starts > 0) log('Python was started again: what its modules had kept is gone.');
    hosted.starts += 1;
    hosted.child = new PythonChild({
      python,
      folder,
      project,
      env: pythonEnvironment(dotEnv, env),
      log: (line) => {
        if (hosted.log) hosted.log(line);
        else if (hosted.lines.length < mostLines) hosted.lines.push(line);
      },
      onReady: (version) => {
        if (isOld(version)) hosted.log?.(`${python} is Python ${version}. PyFlow is made for 3.11 or newer.`);
      },
    });
    return hosted.child;
  }
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
}

function timedOut(name: string, seconds: number): ToolError {
  const message = `${name} did not finish within ${seconds} s, and Python was ended. If it needs longer, raise "timeout" of "python" in pravah.json.`;
  return new ToolError('Timeout', message, { retryable: false });
}

/** The result of a request that runs our own code. */
function resultOf<T>(answer: PythonAnswer): T {
  if ('value' in answer) return answer.value as T;
  throw new FlowError('HandlerError', 'error' in answer ? `${answer.error.type}: ${answer.error.message}` : answer.not_json);
}
