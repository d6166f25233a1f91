import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { Worker } from 'node:worker_threads';
import type { CommandReport, CommandTask, CommandThreadData, DrivenRun } from '#main/hosts/cli/thread/messages.ts';
import { RingReader, ringMemory } from '#main/hosts/cli/thread/output-ring.ts';
import { type BodyPlace, BodyWatchdog, bodyCells } from '#main/runner/body-clock.ts';

/** How long a command may take to end after a signal before its thread is terminated, in milliseconds. */
const patience = 2000;

/** Signals within this time of the first one are the same request, in milliseconds: Ctrl+C reaches this process and `bin/pravah`, which forwards it. */
const sameRequest = 200;

/** Exit codes of a command that was ended by a signal. */
const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof signalCodes;

/**
 * Runs one command in a thread and returns its exit code. The main thread stays responsive: it writes what the command prints, and ends the command when a
 * signal arrives or a body exceeds its deadline, whatever the command is computing.
 */
export function runInThread(words: readonly string[]): Promise<number> {
  return new Supervisor().run({ type: 'command', words });
}

class Supervisor {
  readonly #stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #signalledAt = 0;
  #overrun: BodyPlace[] = [];
  #driven: DrivenRun | null = null;
  #worker: Worker | undefined;
  /** Settles the wait for the thread with the next task or the exit code. */
  #settle: (next: CommandTask | number) => void = () => undefined;

  async run(first: CommandTask): Promise<number> {
    const onSignal = (signal: Signal) => void this.#onSignal(signal);
    try {
      // Start loading the thread before the setup below.
      let performed = this.#perform(first);
      for (const signal of Object.keys(signalCodes)) process.on(signal, onSignal);
      process.stdout.on('error', ignoreClosed);
      for (let next = await performed; ; next = await performed) {
        if (typeof next === 'number') return next;
        performed = this.#perform(next);
      }
    } finally {
      for (const signal of Object.keys(signalCodes)) process.off(signal, onSignal);
    }
  }

  /** Performs a task in a thread. Resolves to the follow-up task if the thread was terminated, else to the exit code. */
  async #perform(task: CommandTask): Promise<CommandTask | number> {
    const [bodies, printed] = [bodyCells(), ringMemory()];
    const terminals = { stdout: isatty(1), stderr: isatty(2) };
    const workerData: CommandThreadData = { task, terminals, stop: this.#stop.buffer as SharedArrayBuffer, bodies, printed };
    const cache = getCompileCacheDir();
    const env = cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) };
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, env });
    const watchdog = new BodyWatchdog(bodies, worker, (body) => this.#onOverrun(body));
    this.#worker = worker;
    const output = new RingReader(printed, (stream, bytes) => process[stream].write(bytes));
    const next = await new Promise<CommandTask | number>((resolve) => {
      this.#settle = resolve;
      worker.on('message', (report: CommandReport) => this.#onReport(report, output));
      worker.on('error', (error) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        resolve(1);
      });
      worker.on('exit', (code) => resolve(code));
    });
    watchdog.end();
    this.#worker = undefined;
    await worker.terminate();
    output.drain();
    return next;
  }

  #onReport(report: CommandReport, output: RingReader): void {
    output.drain();
    if (report.type === 'done') this.#settle(report.exit_code);
    else if (report.type === 'driving') this.#driven = report.run;
  }

  #onOverrun(body: BodyPlace): void {
    if (!this.#driven || this.#stopping) return;
    this.#overrun = [...this.#overrun, body];
    this.#settle({ type: 'fail', run: this.#driven, overrun: this.#overrun });
  }

  /** The first signal stops the command and cancels its run; the second one exits the process at once. */
  async #onSignal(signal: Signal): Promise<void> {
    if (this.#stopping) {
      if (performance.now() - this.#signalledAt > sameRequest) process.exit(signalCodes[signal]);
      return;
    }
    Atomics.store(this.#stop, 0, 1);
    this.#signalledAt = performance.now();
    const worker = this.#worker;
    if (!this.#driven) {
      this.#settle(signalCodes[signal]);
      return;
    }
    worker?.postMessage('interrupt');
    await wait(patience, undefined, { ref: false });
    if (this.#worker !== worker) return;
    this.#settle(this.#driven ? { type: 'cancel', run: this.#driven } : signalCodes[signal]);
  }

  get #stopping(): boolean {
    return Atomics.load(this.#stop, 0) !== 0;
  }
}

/** Ignores a closed standard output (`pravah … | head`), so that the command still finishes. */
function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
