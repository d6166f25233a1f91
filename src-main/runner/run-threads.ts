import { Worker } from 'node:worker_threads';
import type { RunWorkerData, ThreadMessage } from './worker-messages.ts';

/** The most threads that are kept without a run. */
const mostIdle = 8;

/**
 * Threads for runs, one run at a time. Starting a thread and loading the engine in it takes longer than a short run, so a thread that has left its run is kept
 * for the next one. One that was terminated, or did not leave in time, is never used again.
 */
export class RunThreads {
  readonly #idle: Worker[] = [];
  #closed = false;

  /** Number of threads that wait for a run. */
  get idle(): number {
    return this.#idle.length;
  }

  /** A thread that runs with this data. */
  take(workerData: RunWorkerData): Worker {
    const worker = this.#idle.pop();
    if (!worker) return startRunThread(workerData);
    silence(worker);
    worker.ref();
    worker.postMessage({ type: 'begin', data: workerData } satisfies ThreadMessage, portsOf(workerData));
    return worker;
  }

  /** Keeps a thread that has left its run. Ends it if enough are waiting. */
  give(worker: Worker): void {
    silence(worker);
    if (this.#closed || this.#idle.length >= mostIdle) {
      void worker.terminate();
      return;
    }
    // A thread that waits does not keep the process alive, and one that fails while it waits is forgotten.
    const forget = () => {
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
    };
    worker.on('error', forget);
    worker.on('exit', forget);
    worker.unref();
    this.#idle.push(worker);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }
}

/** Starts a thread for a run. */
export function startRunThread(workerData: RunWorkerData): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { workerData, transferList: portsOf(workerData) });
}

function portsOf({ mcp, run_store }: RunWorkerData) {
  return [mcp, run_store].filter((port) => port !== null);
}

/** Removes the listeners of a thread's last run. The worker has listeners of its own for other events, which must stay. */
function silence(worker: Worker): void {
  for (const event of ['message', 'messageerror', 'error', 'exit']) worker.removeAllListeners(event);
}
