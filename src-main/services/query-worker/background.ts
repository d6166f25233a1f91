import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RunStoreChannel } from '#main/journal/run-store-calls.ts';
import { FlowError, fromTransferable } from '#shared/run/error.ts';
import type { BackgroundData, TaskInput, TaskName, TaskOutput, TaskReply, TaskRequest } from './protocol.ts';

/** Timeout of a task in milliseconds: a schema or a text can be crafted to be slow. */
const taskPatience = 30_000;
/** How long a thread may take to close its files, in milliseconds. */
const closePatience = 1000;

interface Pending {
  readonly resolve: (output: unknown) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * A thread for work that would block windows: validating flows, reading journals. One per folder. A thread that
 * dies or hangs fails its tasks and is replaced at the next task.
 */
export class Background {
  readonly #folder: string;
  readonly #runStore: RunStoreChannel | undefined;
  #worker: Worker | undefined;
  #nextId = 1;
  readonly #pending = new Map<number, Pending>();

  /** `folder` is the real path of a workspace; `runStore` opens a channel to the store of which its journal is a working copy. */
  constructor(folder: string, runStore?: RunStoreChannel) {
    this.#folder = folder;
    this.#runStore = runStore;
  }

  /** Runs a task. Rejects with its `FlowError` or `ToolError`. */
  call<K extends TaskName>(task: K, ...[input]: TaskInput<K> extends undefined ? [] : [TaskInput<K>]): Promise<TaskOutput<K>> {
    const worker = this.#running();
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise<unknown>((resolve, reject) => {
      const giveUp = () => this.#rejectAll(worker, `“${task}” timed out after ${taskPatience / 1000} seconds.`);
      this.#pending.set(id, { resolve, reject, timer: setTimeout(giveUp, taskPatience) });
      worker.postMessage({ id, task, input } as TaskRequest);
    }) as Promise<TaskOutput<K>>;
  }

  /** Ends the thread. Pending tasks reject. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    this.#fail('The folder is being closed.');
    const exited = once(worker, 'exit');
    worker.postMessage('close');
    const timer = setTimeout(() => void worker.terminate(), closePatience);
    await exited;
    clearTimeout(timer);
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const runStore = this.#runStore?.() ?? null;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { folder: this.#folder, run_store: runStore } satisfies BackgroundData,
      transferList: runStore ? [runStore] : [],
    });
    worker.on('message', (reply: TaskReply) => this.#settle(reply));
    worker.on('error', (error) =>
      this.#rejectAll(worker, `The background thread failed: ${error instanceof Error ? error.message : String(error)}`),
    );
    this.#worker = worker;
    return worker;
  }

  #settle(reply: TaskReply): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    this.#pending.delete(reply.id);
    clearTimeout(pending.timer);
    if (reply.type === 'done') pending.resolve(reply.output);
    else pending.reject(fromTransferable(reply.error));
  }

  #rejectAll(worker: Worker, reason: string): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#fail(reason);
    void worker.terminate();
  }

  #fail(reason: string): void {
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new FlowError('HandlerError', reason, { code: 'HOST_BACKGROUND_FAILED', retryable: true }));
    }
    this.#pending.clear();
  }
}
