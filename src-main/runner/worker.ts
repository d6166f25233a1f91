import { parentPort, workerData } from 'node:worker_threads';
import { toTransferable } from '#shared/run/error.ts';
import { RunWorker } from './run-worker.ts';
import type { RunWorkerData, WorkerCall, WorkerMessage } from './worker-messages.ts';

const port = parentPort;
if (!port) throw new Error('This file only runs in a worker thread.');

const post = (news: WorkerMessage) => port.postMessage(news);

const thread = RunWorker.create(workerData as RunWorkerData, {
  onEvents: (events) => post({ type: 'events', events }),
  onAhead: (event) => post({ type: 'ahead', event }),
  onChange: (summary) => post({ type: 'changed', summary }),
  onOperation: (operation) => post({ type: 'operation', operation }),
});

async function answer({ id, request, trace }: WorkerCall): Promise<void> {
  try {
    const performed = await (await thread).perform(request, trace);
    post({ type: 'answer', id, answer: performed });
  } catch (error) {
    post({ type: 'failure', id, error: toTransferable(error) });
  }
}

port.on('message', (call: WorkerCall | 'close') => {
  if (call !== 'close') void answer(call);
  else
    thread.then(
      async (opened) => {
        await opened.close();
        port.close();
      },
      () => port.close(),
    );
});
// A failed setup is reported to each call; here it must only not crash the process.
thread.catch(() => undefined);
