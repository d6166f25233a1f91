import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { FlowError } from '#shared/run/error.ts';

/** The thread through which all threads of this process reach the runs in a PostgreSQL database. */
export class RunStoreThread {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** `url` is the address of a database that is up to date. Throws `FlowError` if it can't be reached. */
  static async start(url: string): Promise<RunStoreThread> {
    const worker = new Worker(new URL('./run-store-thread.ts', import.meta.url), { workerData: { url } });
    try {
      await once(worker, 'message');
    } catch (error) {
      throw new FlowError(
        'SnapStoreError',
        `The database's thread could not start: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    return new RunStoreThread(worker);
  }

  /** Returns what another thread makes a `RunStoreCalls` of. */
  readonly connect = (): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage(port1, [port1]);
    return port2;
  };

  async close(): Promise<void> {
    const exited = once(this.#worker, 'exit');
    this.#worker.postMessage('close');
    await exited;
  }
}
