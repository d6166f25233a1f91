/** Commands that read flows, or drive or replay runs. They run in a thread, so that a flow's code can't keep the process from exiting. */
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
  'export',
  'export-run',
  'test',
]);

const words = process.argv.slice(2);
const perform = inThread.has(words[0] ?? '')
  ? (await import('./supervisor.ts')).runInThread
  : (await import('#main/hosts/cli/command-line/command-line.ts')).runCommandLine;

// For this process only, not for the commands that tools run.
delete process.env.NODE_COMPILE_CACHE;

process.exitCode = await perform(words);

export {};
