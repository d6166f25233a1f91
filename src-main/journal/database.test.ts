import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openForViewing, pragmaNumber, type SqlDatabase } from '#main/journal/database.ts';
import { Journal } from '#main/journal/journal.ts';
import { temporaryFolder } from '#main/journal/testing.ts';

const { folder, remove } = temporaryFolder();
const path = join(folder, 'runs.db');
afterAll(remove);

test('every connection to a journal waits until what it wrote is on disk', () => {
  const writing = Journal.open(path);
  const again = Journal.open(path, { in_use: true });
  const viewing = openForViewing(path);
  const connections: readonly SqlDatabase[] = [writing.database, again.database, viewing];
  expect(connections.map((database) => pragmaNumber(database, 'synchronous'))).toEqual([2, 2, 2]);
  for (const database of connections) database.close();
});

test('no connection to a file is opened anywhere else', () => {
  const source = join(import.meta.dirname, '..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.m?ts$/.test(file) && !/\.test\.ts$/.test(file),
  );
  const opening = files.flatMap((file) => {
    const calls = readFileSync(join(source, file), 'utf8').match(/new Database\([^)]*/g) ?? [];
    return calls.map((call) => `${file.replaceAll('\\', '/')}: ${call}`);
  });
  // The others are in memory: tables to be compared with, and a copy to look at.
  expect(opening.sort()).toEqual([
    'journal/database.ts: new Database(path, { readonly: options.readonly ?? false, fileMustExist: options.readonly ?? false }',
    "journal/journal.ts: new Database(':memory:'",
    'journal/journal.ts: new Database(bytes',
  ]);
});
