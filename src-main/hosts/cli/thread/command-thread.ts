import type { MessagePort } from 'node:worker_threads';
import { printTo } from '#main/hosts/cli/output/terminal.ts';
import { BodyClock } from '#main/runner/body-clock.ts';
import type { CommandReport, CommandThreadData, DrivenRun } from './messages.ts';
import { RingWriter } from './output-ring.ts';

/** The worker side of a command; see `supervisor.ts` for the main thread. */
export class CommandThread {
  readonly bodies: BodyClock;
  readonly #port: MessagePort;
  readonly #stop: Int32Array;

  constructor(data: CommandThreadData, port: MessagePort) {
    this.#port = port;
    this.#stop = new Int32Array(data.stop);
    this.bodies = new BodyClock(data.bodies, data.task.type === 'fail' ? data.task.overrun : []);
    const printed = new RingWriter(data.printed, () => this.#report({ type: 'printed' }));
    printTo({ isTerminal: (stream) => data.terminals[stream], write: (stream, text) => printed.write(stream, text) });
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

  #report(report: CommandReport): void {
    this.#port.postMessage(report);
  }
}

/** The current command's thread; undefined in a process that runs commands in its main thread. */
export let commandThread: CommandThread | undefined;

export function setCommandThread(thread: CommandThread): void {
  commandThread = thread;
}
