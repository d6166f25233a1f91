import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { FlowError, fromTransferable, type TransferableError } from '#shared/run/error.ts';
import type { RunStore, RunWrite, StoredRun } from './run-store.ts';

/** How long a store may take to answer, in milliseconds. Longer than it tries to reach its database, and shorter than a handler may block its thread. */
const patience = 8000;

/** Opens a channel to a store in another thread; a further thread makes a `RunStoreCalls` of it. */
export type RunStoreChannel = () => MessagePort;

/** A call to a store in another thread. */
export interface RunStoreCall {
  readonly id: number;
  /** One 32-bit number, set and notified when the answer is there. */
  readonly answered: SharedArrayBuffer;
  readonly call:
    | { readonly type: 'commit'; readonly writes: readonly RunWrite[] }
    | { readonly type: 'read'; readonly run_id: string; readonly after: number };
}

export interface RunStoreAnswer {
  readonly id: number;
  readonly result?: readonly boolean[] | StoredRun | null;
  readonly error?: TransferableError;
}

/**
 * Calls a store in another thread and waits for the answer, so that a database whose library answers with promises serves the journal, which is synchronous
 * so that runs on SQLite make no promise for a record. Only threads of runs and of queries wait, never the one that serves requests.
 */
export class RunStoreCalls implements RunStore {
  readonly #port: MessagePort;
  #lastId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  commit(writes: readonly RunWrite[]): readonly boolean[] {
    return this.#call({ type: 'commit', writes }) as readonly boolean[];
  }

  read(runId: string, after: number): StoredRun | null {
    return this.#call({ type: 'read', run_id: runId, after }) as StoredRun | null;
  }

  close(): void {
    this.#port.close();
  }

  #call(call: RunStoreCall['call']): RunStoreAnswer['result'] {
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new SharedArrayBuffer(4);
    this.#port.postMessage({ id, answered, call } satisfies RunStoreCall);
    if (Atomics.wait(new Int32Array(answered), 0, 0, patience) === 'timed-out') throw noAnswer();
    for (;;) {
      const received = receiveMessageOnPort(this.#port) as { readonly message: RunStoreAnswer } | undefined;
      if (!received) throw noAnswer();
      // An answer that came too late belongs to an earlier call.
      if (received.message.id !== id) continue;
      if (received.message.error) throw fromTransferable(received.message.error);
      return received.message.result;
    }
  }
}

function noAnswer(): FlowError {
  return new FlowError('SnapStoreError', `The database did not answer within ${patience / 1000} seconds. Try again.`, { retryable: true });
}
