import { parentPort, workerData } from 'node:worker_threads';
import type { DriverCall, DriverNews, DriverThreadData } from '#main/driver/driver-messages.ts';
import { DriverThread } from '#main/driver/driver-thread.ts';
import { toTransferable } from '#shared/runtime/error.ts';

const port = parentPort;
if (!port) throw new Error('This file only runs in a worker thread.');

const post = (news: DriverNews) => port.postMessage(news);

const thread = DriverThread.create(workerData as DriverThreadData, {
  onEvents: (events) => post({ type: 'events', events }),
  onChange: (summary) => post({ type: 'changed', summary }),
});

async function answer({ id, request }: DriverCall): Promise<void> {
  try {
    const performed = await (await thread).perform(request);
    post({ type: 'answer', id, answer: performed });
  } catch (error) {
    post({ type: 'failure', id, error: toTransferable(error) });
  }
}

port.on('message', (call: DriverCall | 'close') => {
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
