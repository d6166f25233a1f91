import { z } from 'zod';
import { prepared } from '#main/journal/database.ts';
import type { Journal } from '#main/journal/journal.ts';
import { checked } from '#main/journal/rows.ts';

const versionSchema = z.object({ data_version: z.int() });

/** A number that is another one when some other connection, perhaps another process's, has written to the journal (https://sqlite.org/pragma.html#pragma_data_version). */
export function dataVersion(journal: Journal): number {
  const row = journal.reading(() => prepared(journal.database, 'PRAGMA data_version').get());
  return checked(versionSchema, row, journal.path).data_version;
}
