/** Commands that read flows, drive runs or compute them again. They run in a thread, so that nothing in a flow's code can keep the process from ending. */
const inThread = new Set([
  'validate',
  'capabilities',
  'run',
  'resume',
  'step',
  'continue',
  'show',
  'fork',
  'replay',
  'diff',
  'restore',
  'export-run',
  'test',
]);

const words = process.argv.slice(2);
const perform = inThread.has(words[0] ?? '')
  ? (await import('./thread/supervise.ts')).runInThread
  : (await import('./command-line.ts')).runCommandLine;

// Meant for this program only, not for the commands that tools run.
delete process.env.NODE_COMPILE_CACHE;

process.exitCode = await perform(words);

export {};
