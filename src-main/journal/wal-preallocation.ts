import { statfsSync, statSync } from 'node:fs';
import { pragmaNumber, prepared, type SqlDatabase } from './database.ts';

/** Length to which the write-ahead log grows before SQLite restarts it (`wal_autocheckpoint` is 1,000 pages), in bytes. */
const fullLog = 4_000_000;

/** Minimum free disk space in bytes: preallocation is never worth a failed write. */
const ampleSpace = 64 * fullLog;

/**
 * Preallocates the write-ahead log in about 15 ms. A commit that extends the file makes the file system sync its own tables
 * too, which takes about as long as the commit itself; later commits overwrite the existing pages. SQLite writes the pages itself: a change
 * that exceeds its cache spills into the log before the commit, and this change is rolled back.
 */
export function preallocateWal(database: SqlDatabase): void {
  const log = statSync(`${database.name}-wal`, { throwIfNoEntry: false });
  if (!log || log.size >= fullLog || database.inTransaction) return;
  const pages = pragmaNumber(database, 'cache_size');
  try {
    const { bavail, bsize } = statfsSync(database.name);
    if (bavail * bsize < ampleSpace) return;
    database.pragma('cache_size = 16');
    database.exec('BEGIN IMMEDIATE');
    prepared(database, "INSERT INTO meta (key, value) VALUES ('room', hex(zeroblob(?)))").run(fullLog / 2);
  } catch {
    // Without preallocation, the log grows as it is written.
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK');
    database.pragma(`cache_size = ${pages}`);
  }
}
