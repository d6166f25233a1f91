import { Worker } from 'node:worker_threads';

/** Interval between checks that the parent is alive, in milliseconds. */
const interval = 1000;

const watch = `
const { workerData } = require('node:worker_threads');
setInterval(() => { if (process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL'); }, workerData.interval);
`;

/**
 * Ends this process when its parent ends: at once when the connection closes, and from a separate thread in case an endless loop blocks that
 * event. (Windows keeps the parent's process id; there such code ends with the session.)
 */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit());
  new Worker(watch, { eval: true, execArgv: [], workerData: { parent: process.ppid, interval } }).unref();
}
