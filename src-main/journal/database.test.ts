import { copyFileSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { explainingErrors, openDatabase, openForViewing, pragmaNumber, quickCheck, type SqlDatabase } from './database.ts';
import { Journal } from './journal.ts';
import { temporaryFolder } from './testing.ts';

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
  // The second looks again at a file that is reported to be damaged, the others are in memory: tables to be compared with, and a copy to look at.
  expect(opening.sort()).toEqual([
    'journal/database.ts: new Database(path, { readonly: options.readonly ?? false, fileMustExist: options.readonly ?? false }',
    'journal/database.ts: new Database(path, { readonly: true, fileMustExist: true }',
    "journal/journal.ts: new Database(':memory:'",
    'journal/journal.ts: new Database(bytes',
  ]);
});

/** As SQLite throws: it reports a read that the disk failed as damage, too. */
const corrupt = () => {
  throw Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' });
};

test('a read error of a moment is not reported as damage, which would make its reader move the journal away', () => {
  Journal.open(path).close();
  expect(() => explainingErrors(path, corrupt)).toThrow(
    expect.objectContaining({ variant: 'SnapStoreError', message: expect.stringContaining('Check the disk') }),
  );
});

test('a file that is damaged when it is read again, too, is reported as damaged', () => {
  const broken = join(folder, 'broken.db');
  Journal.open(path).close();
  copyFileSync(path, broken);
  truncateSync(broken, 8192);
  expect(() => explainingErrors(broken, corrupt)).toThrow(
    expect.objectContaining({ variant: 'SnapLoadError', message: expect.stringContaining('is corrupt') }),
  );
});

test.each([
  ['Page 5: unable to get the page. error code=8458', 'SnapStoreError'],
  ['Page 5: unable to get the page. error code=11', 'SnapLoadError'],
  ['Tree 4 page 5: free space corruption', 'SnapLoadError'],
])('a check that finds “%s” ends with %s', (verdict, variant) => {
  const database = openDatabase(path);
  const checked = Object.assign(Object.create(database), { pragma: () => [{ quick_check: verdict }] }) as SqlDatabase;
  expect(() => quickCheck(checked, path)).toThrow(expect.objectContaining({ variant }));
  database.close();
});
