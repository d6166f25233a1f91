import { statfsSync, statSync } from 'node:fs';
import { pragmaNumber, prepared, type SqlDatabase } from '#main/journal/database.ts';

/** Length to which the write-ahead log grows by itself before SQLite starts it over (`wal_autocheckpoint` is 1,000 pages), in bytes. */
const fullLog = 4_000_000;

/** So much must be free on the disk, in bytes: room for the log is never worth a failed write. */
const ampleSpace = 64 * fullLog;

/**
 * Gives the write-ahead log its full length at once, some 15 ms. A commit that makes the file longer has the file system sync its own tables
 * too, which takes about as long as the commit itself; later ones overwrite what is there. SQLite writes the pages itself: those of a change
 * that does not fit its cache go into the log before the change is committed, and this one is rolled back.
 */
export function makeRoomInLog(database: SqlDatabase): void {
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
    // Without the room, the log grows as it is written.
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK');
    database.pragma(`cache_size = ${pages}`);
  }
}
