import { Worker } from 'node:worker_threads';

/** How often is looked whether the parent is still there, in milliseconds. */
const interval = 1000;

const watch = `
const { workerData } = require('node:worker_threads');
setInterval(() => { if (process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL'); }, workerData.interval);
`;

/**
 * Ends this process with the one that started it: at once when the connection closes, and by a thread of its own where code that computes without end
 * would not hear of that. (Windows keeps the parent's number; there such code ends with the session.)
 */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit());
  new Worker(watch, { eval: true, execArgv: [], workerData: { parent: process.ppid, interval } }).unref();
}
