import { optionalPackage } from '#main/platform/optional-package.ts';
import type { RunJournal } from './run-journal.ts';

/** Opens or creates a journal: a SQLite file that records runs, so that they survive the end of the process. */
export async function openJournal(path: string): Promise<RunJournal> {
  const { RunJournal } = await optionalPackage('better-sqlite3', 'journals', () => import('./run-journal.ts'));
  return RunJournal.open(path);
}
