import { parentPort, workerData } from 'node:worker_threads';
import { toTransferable } from '#shared/run/error.ts';
import { RunWorker } from './run-worker.ts';
import { ThreadJournal } from './thread-journal.ts';
import type { RunWorkerData, ThreadMessage, WorkerCall, WorkerMessage } from './worker-messages.ts';

const port = parentPort;
if (!port) throw new Error('This file only runs in a worker thread.');

const journals = new ThreadJournal();

type Post = (news: WorkerMessage) => void;

/** The run of this thread, until the thread leaves it. */
class ThreadRun {
  readonly #data: RunWorkerData;
  readonly #opened: Promise<RunWorker>;
  readonly #send: Post;
  #isOver = false;

  constructor(data: RunWorkerData, send: Post) {
    this.#data = data;
    this.#send = send;
    this.#opened = RunWorker.create(
      data,
      {
        onEvents: (events) => this.#post({ type: 'events', events }),
        onAhead: (event) => this.#post({ type: 'ahead', event }),
        onChange: (summary) => this.#post({ type: 'changed', summary }),
        onOperation: (operation) => this.#post({ type: 'operation', operation }),
      },
      journals,
    );
    // A failed setup is reported to each call; here it must only not crash the process.
    this.#opened.catch(() => undefined);
  }

  async answer({ id, request, trace }: WorkerCall): Promise<void> {
    try {
      const performed = await (await this.#opened).perform(request, trace);
      this.#post({ type: 'answer', id, answer: performed });
    } catch (error) {
      this.#post({ type: 'failure', id, error: toTransferable(error) });
    }
  }

  /** Closes what belongs to the run. Rejects if it could not be set up. */
  async end(): Promise<void> {
    await (await this.#opened).close();
    this.#data.mcp?.close();
    this.#data.run_store?.close();
    // What still comes of this run is not for the next one.
    this.#isOver = true;
  }

  #post(news: WorkerMessage): void {
    if (!this.#isOver) this.#send(news);
  }
}

const send: Post = (news) => port.postMessage(news);
let run = new ThreadRun(workerData as RunWorkerData, send);

port.on('message', (message: ThreadMessage) => {
  if (message === 'close') {
    run
      .end()
      .finally(() => {
        journals.close();
        port.close();
      })
      .catch(() => undefined);
  } else if (message === 'leave') {
    run.end().then(
      () => send({ type: 'left' }),
      () => port.close(),
    );
  } else if ('type' in message) run = new ThreadRun(message.data, send);
  else void run.answer(message);
});
