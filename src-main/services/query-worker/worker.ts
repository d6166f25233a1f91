import { parentPort, workerData } from 'node:worker_threads';
import { RunStoreCalls } from '#main/journal/run-store-calls.ts';
import { toTransferable } from '#shared/run/error.ts';
import { BackgroundFolder } from './background-folder.ts';
import { performTask } from './perform-task.ts';
import type { BackgroundData, TaskReply, TaskRequest } from './protocol.ts';

const port = parentPort;
if (!port) throw new Error('This file only runs in a worker thread.');

const { folder: path, run_store: storePort } = workerData as BackgroundData;
const store = storePort ? new RunStoreCalls(storePort) : undefined;
const folder = new BackgroundFolder(path, store);

async function reply({ id, ...request }: TaskRequest): Promise<TaskReply> {
  try {
    return { id, type: 'done', output: await performTask(folder, request) };
  } catch (thrown) {
    return { id, type: 'failed', error: toTransferable(thrown) };
  }
}

port.on('message', async (request: TaskRequest | 'close') => {
  if (request !== 'close') {
    port.postMessage(await reply(request));
    return;
  }
  await folder.journals.close();
  store?.close();
  port.close();
});
