import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs';
import { isOurs } from '#main/platform/owner.ts';

/**
 * Creates a database's file if it is missing, readable by its owner only, and tightens our existing files. SQLite gives the files
 * that it creates beside it the same mode. Errors are ignored here; SQLite reports them.
 */
export function makePrivate(path: string): void {
  if (path === ':memory:') return;
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) closeSync(openSync(path, 'a', 0o600));
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      const found = lstatSync(file, { throwIfNoEntry: false });
      if (found?.isFile() && isOurs(found) && (found.mode & 0o077) !== 0) chmodSync(file, 0o600);
    }
  } catch {
    // A folder that is missing or read-only, or a disk without modes.
  }
}
