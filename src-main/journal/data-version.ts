import { z } from 'zod';
import { prepared } from './database.ts';
import type { Journal } from './journal.ts';
import { checked } from './rows.ts';

const versionSchema = z.object({ data_version: z.int() });

/** Returns a number that changes whenever another connection or process writes to the journal (https://sqlite.org/pragma.html#pragma_data_version). */
export function dataVersion(journal: Journal): number {
  const row = journal.reading(() => prepared(journal.database, 'PRAGMA data_version').get());
  return checked(versionSchema, row, journal.path).data_version;
}
