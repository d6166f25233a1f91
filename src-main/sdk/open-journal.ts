import type { RunJournal } from './run-journal.ts';

/** Opens or creates a journal: a SQLite file that records runs, so that they survive the end of the process. */
export async function openJournal(path: string): Promise<RunJournal> {
  const { RunJournal } = await import('./run-journal.ts');
  return RunJournal.open(path);
}
