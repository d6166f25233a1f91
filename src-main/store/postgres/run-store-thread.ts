import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { RunStoreAnswer, RunStoreCall } from '#main/journal/run-store-calls.ts';
import { toTransferable } from '#shared/run/error.ts';
import { connectPostgres } from './connection.ts';
import { PostgresRunStore } from './postgres-run-store.ts';

const parent = parentPort;
if (!parent) throw new Error('This file only runs in a worker thread.');

const connection = await connectPostgres((workerData as { readonly url: string }).url);
const store = new PostgresRunStore(connection);

async function answer({ id, call }: RunStoreCall): Promise<RunStoreAnswer> {
  try {
    return { id, result: call.type === 'commit' ? await store.commit(call.writes) : await store.read(call.run_id, call.after) };
  } catch (error) {
    return { id, error: toTransferable(error) };
  }
}

const ports = new Set<MessagePort>();

function serve(port: MessagePort): void {
  ports.add(port);
  port.on('close', () => ports.delete(port));
  port.on('message', async (call: RunStoreCall) => {
    port.postMessage(await answer(call));
    const answered = new Int32Array(call.answered);
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  });
}

parent.on('message', async (message: MessagePort | 'close') => {
  if (message !== 'close') return serve(message);
  for (const port of ports) port.close();
  await connection.close();
  parent.close();
});
parent.postMessage('ready');
