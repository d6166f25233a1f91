import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startInTime } from '#main/testing/start-in-time.ts';

/** The witness, seen from the test: a process that outlives all that are killed. */
export class WitnessProcess {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #log: string;

  private constructor(child: ChildProcess, log: string, port: number) {
    this.#child = child;
    this.#log = log;
    this.port = port;
  }

  static start(log: string): Promise<WitnessProcess> {
    return startInTime('The witness', (signal) => WitnessProcess.#start(log, signal));
  }

  static async #start(log: string, signal: AbortSignal): Promise<WitnessProcess> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'witness.ts'), log], { stdio: ['pipe', 'pipe', 'inherit'] });
    signal.addEventListener('abort', () => child.kill('SIGKILL'));
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return new WitnessProcess(child, log, Number(line));
  }

  /** The numbers of the lines in its log, by what was done. */
  done(): Map<string, number[]> {
    const done = new Map<string, number[]>();
    for (const line of readFileSync(this.#log, 'utf8').split('\n').filter(Boolean)) {
      const at = line.lastIndexOf(' ');
      const what = line.slice(0, at);
      done.set(what, [...(done.get(what) ?? []), Number(line.slice(at + 1))]);
    }
    return done;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
  }
}
