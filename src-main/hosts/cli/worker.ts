import { parentPort, workerData } from 'node:worker_threads';
import { CommandThread, setCommandThread } from '#main/hosts/cli/thread/command-thread.ts';
import type { CommandTask, CommandThreadData } from '#main/hosts/cli/thread/messages.ts';

const port = parentPort;
if (!port) throw new Error('This file only runs in a worker thread.');

// For this process only, not for the commands that tools run.
delete process.env.NODE_COMPILE_CACHE;

const data = workerData as CommandThreadData;
const thread = new CommandThread(data, port);
setCommandThread(thread);
thread.reportDone(await perform(data.task));

async function perform(task: CommandTask): Promise<number> {
  if (task.type === 'command') return (await import('#main/hosts/cli/command-line/command-line.ts')).runCommandLine(task.words);
  return (await import('./take-over.ts')).takeOver(task);
}
