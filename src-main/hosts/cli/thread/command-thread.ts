import type { MessagePort } from 'node:worker_threads';
import { printTo, type StreamName } from '#main/hosts/cli/output/terminal.ts';
import { BodyClock } from '#main/runner/body-clock.ts';
import type { CommandReport, CommandThreadData, DrivenRun } from './messages.ts';

/** Maximum number of printed but unwritten characters. A command that prints faster than its reader reads waits. */
const mostUnwritten = 4 * 1024 * 1024;

/** The worker side of a command; see `supervisor.ts` for the main thread. */
export class CommandThread {
  readonly bodies: BodyClock;
  readonly #port: MessagePort;
  readonly #stop: Int32Array;
  readonly #unwritten: Int32Array;
  readonly #terminals: Readonly<Record<StreamName, boolean>>;

  constructor(data: CommandThreadData, port: MessagePort) {
    this.#port = port;
    this.#stop = new Int32Array(data.stop);
    this.#unwritten = new Int32Array(data.unwritten);
    this.#terminals = data.terminals;
    this.bodies = new BodyClock(data.bodies, data.task.type === 'fail' ? data.task.overrun : []);
    printTo({ isTerminal: (stream) => this.#terminals[stream], write: (stream, text) => this.#print(stream, text) });
  }

  /** True once the user has asked the command to stop. */
  get stopRequested(): boolean {
    return Atomics.load(this.#stop, 0) !== 0;
  }

  /** Calls `listener` when the user asks the command to stop. Returns an unsubscribe function. */
  onInterrupt(listener: () => void): () => void {
    this.#port.on('message', listener);
    return () => this.#port.off('message', listener);
  }

  /** Reports the run being driven, or null. */
  reportRun(run: DrivenRun | null): void {
    this.#report({ type: 'driving', run });
  }

  reportDone(exit_code: number): void {
    this.#report({ type: 'done', exit_code });
  }

  #print(stream: StreamName, text: string): void {
    const cell = this.#unwritten;
    this.#report({ type: 'print', stream, text });
    let waiting = Atomics.add(cell, 0, text.length) + text.length;
    while (waiting > mostUnwritten) {
      Atomics.wait(cell, 0, waiting);
      waiting = Atomics.load(cell, 0);
    }
  }

  #report(report: CommandReport): void {
    this.#port.postMessage(report);
  }
}

/** The current command's thread; undefined in a process that runs commands in its main thread. */
export let commandThread: CommandThread | undefined;

export function setCommandThread(thread: CommandThread): void {
  commandThread = thread;
}
