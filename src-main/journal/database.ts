import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { FlowError } from '#shared/run/error.ts';
import { lockAttempt, longestLockWait, waitingForLock } from './lock-wait.ts';

export type SqlDatabase = Database.Database;
export type Statement = Database.Statement;

export interface OpenOptions {
  /** Opens without write access; the file must exist. */
  readonly readonly?: boolean;
  /** How long to wait for another process's lock, in milliseconds. */
  readonly busyTimeout?: number;
}

/**
 * Opens a SQLite file as every connection of the journal is opened: WAL, `synchronous=FULL`, no trust in the schema of the file.
 * Throws `FlowError` (`SnapStoreError` if it can't be opened or written, `SnapLoadError` if it is corrupt).
 */
export function openDatabase(path: string, options: OpenOptions = {}): SqlDatabase {
  const wait = options.busyTimeout ?? longestLockWait;
  const connect = (): SqlDatabase => {
    const database = new Database(path, { readonly: options.readonly ?? false, fileMustExist: options.readonly ?? false });
    try {
      database.pragma(`busy_timeout = ${Math.min(wait, lockAttempt)}`);
      database.pragma('trusted_schema = OFF');
      database.pragma('cell_size_check = ON');
      if (!options.readonly) database.pragma('journal_mode = WAL');
      database.pragma('synchronous = FULL');
      database.pragma('foreign_keys = ON');
      assertFullSync(database, path);
      waits.set(database, wait);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };
  return explainingErrors(path, () => waitingForLock(connect, { wait }));
}

/** How long each connection waits for locks, in milliseconds. */
const waits = new WeakMap<SqlDatabase, number>();

/** Reads, or writes with a single statement, waiting for other processes' locks. */
export function whenUnlocked<Result>(database: SqlDatabase, action: () => Result): Result {
  return database.inTransaction ? action() : waitingForLock(action, { wait: waits.get(database) });
}

/** SQLite's number for `synchronous=FULL`: what a transaction wrote is on disk when it returns. */
const fullSync = 2;

/** Refuses a SQLite build that ignores the sync setting, which could lose committed steps. */
function assertFullSync(database: SqlDatabase, path: string): void {
  if (pragmaNumber(database, 'synchronous') === fullSync) return;
  throw new FlowError('SnapStoreError', `The journal ${path} can't be written safely: this SQLite build does not sync its writes.`, {
    details: { path },
  });
}

/** Returns a pragma's number. Read from its row, since not every SQLite binding returns a bare value. */
export function pragmaNumber(database: SqlDatabase, name: string): number {
  const [row] = database.pragma(name) as readonly Record<string, unknown>[];
  return Number(Object.values(row ?? {})[0]);
}

/**
 * Opens a file read-only. If even that needs write access (a file in WAL mode in a read-only folder), opens a private copy in the
 * system's temporary folder instead.
 */
export function openForViewing(path: string): SqlDatabase {
  try {
    return openDatabase(path, { readonly: true });
  } catch (error) {
    if (!(error instanceof FlowError) || error.options.details?.sqlite !== 'SQLITE_CANTOPEN' || !existsSync(path)) throw error;
  }
  const folder = mkdtempSync(join(tmpdir(), 'pravah-view-'));
  try {
    copyFileSync(path, join(folder, 'runs.db'));
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, join(folder, 'runs.db-wal'));
    const copy = openDatabase(join(folder, 'runs.db'));
    // Once it is a single file, the copy no longer needs its folder.
    copy.pragma('journal_mode = MEMORY');
    copy.pragma('query_only = ON');
    return copy;
  } finally {
    // An open file can be removed, except on Windows, where the system cleans its temporary folder.
    if (process.platform !== 'win32') rmSync(folder, { recursive: true, force: true });
  }
}

const statements = new WeakMap<SqlDatabase, Map<string, Statement>>();

/** Returns the prepared statement of this text, cached per connection. Only for constant texts, because the cache is unbounded. */
export function prepared(database: SqlDatabase, sql: string): Statement {
  let known = statements.get(database);
  if (!known) {
    known = new Map();
    statements.set(database, known);
  }
  let statement = known.get(sql);
  if (!statement) {
    statement = database.prepare(sql);
    known.set(sql, statement);
  }
  return statement;
}

type Transact = (write: () => unknown) => unknown;
const transactions = new WeakMap<SqlDatabase, Transact>();

const committing = new WeakMap<SqlDatabase, () => void>();

/** Calls `act` at the end of each transaction of `inTransaction`, before it is on disk. If it throws, the transaction is undone. */
export function beforeCommit(database: SqlDatabase, act: () => void): void {
  committing.set(database, act);
}

/** Whether each change of a connection must be made with `inTransaction`. */
export function needsTransactions(database: SqlDatabase): boolean {
  return committing.has(database);
}

/** Runs `write` in a transaction that takes the write lock at once; it is on disk when this returns, or undone when it throws. */
export function inTransaction<Result>(database: SqlDatabase, write: () => Result): Result {
  let transact = transactions.get(database);
  if (!transact) {
    transact = database.transaction((inside: () => unknown) => inside()).immediate;
    transactions.set(database, transact);
  }
  if (database.inTransaction) return transact(write) as Result;
  const begin = transact;
  let started = false;
  const once = () => {
    started = true;
    const result = write();
    committing.get(database)?.();
    return result;
  };
  // With the lock taken, a partial write must not be retried.
  return waitingForLock(() => begin(once) as Result, { wait: waits.get(database), mayRepeat: () => !started });
}

/** True if the last writer did not close the file or still has it open. */
export function wasNotClosed(path: string): boolean {
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return wal !== undefined && wal.size > 0;
}

/** Checks the whole file. Throws `SnapLoadError` if it is corrupt. */
export function quickCheck(database: SqlDatabase, path: string, explaining: typeof explainingErrors = explainingErrors): void {
  const rows = explaining(path, () => database.pragma('quick_check(1)')) as readonly Record<string, unknown>[];
  const verdict = String(Object.values(rows[0] ?? {})[0]);
  if (verdict === 'ok') return;
  throw isReadError(verdict) ? unreadable(path) : damaged(path, verdict);
}

/** Whether the check failed to read a page: it reports SQLite's error code, whose low byte is then the I/O error. */
function isReadError(verdict: string): boolean {
  const code = /error code=(\d+)/.exec(verdict)?.[1];
  return code !== undefined && (Number(code) & 0xff) === ioErrorCode;
}

const ioErrorCode = 10;

function unreadable(path: string): FlowError {
  return new FlowError(
    'SnapStoreError',
    `Reading or writing the journal ${path} failed. Nothing in it was changed. Check the disk and its free space, then continue the run.`,
  );
}

/** Finds the cause of a corruption report. SQLite also reports failed reads (EIO) as corruption; then a second read finds the file intact. */
function damagedOrUnreadable(path: string): FlowError {
  const found = damaged(path, 'its pages are inconsistent');
  if (!existsSync(path)) return found;
  try {
    const again = new Database(path, { readonly: true, fileMustExist: true });
    try {
      again.pragma('trusted_schema = OFF');
      again.pragma('cell_size_check = ON');
      quickCheck(again, path, (_path, action) => action());
      return unreadable(path);
    } finally {
      again.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return code.startsWith('SQLITE_IOERR') || (error instanceof FlowError && error.variant === 'SnapStoreError') ? unreadable(path) : found;
  }
}

export function damaged(path: string, what: string): FlowError {
  return new FlowError(
    'SnapLoadError',
    `The journal ${path} is corrupt: ${what}. Nothing in it was changed. Move it away to start a new one.`,
    {
      details: { path },
    },
  );
}

const explanations: readonly (readonly [prefix: string, explain: (path: string) => FlowError])[] = [
  [
    'SQLITE_BUSY',
    (path) =>
      new FlowError(
        'SnapStoreError',
        `The journal ${path} has been locked by another program for too long. Nothing was lost. Close that program, then try again.`,
      ),
  ],
  [
    'SQLITE_LOCKED',
    (path) => new FlowError('SnapStoreError', `The journal ${path} is locked by another program. Nothing was lost. Try again.`),
  ],
  [
    'SQLITE_FULL',
    (path) =>
      new FlowError(
        'SnapStoreError',
        `The disk is full: the journal ${path} could not be written. Free some space, then continue the run.`,
      ),
  ],
  [
    'SQLITE_READONLY',
    (path) =>
      new FlowError(
        'SnapStoreError',
        `The journal ${path} can't be written: it or its folder is read-only. Make it writable, then try again.`,
      ),
  ],
  [
    'SQLITE_CANTOPEN',
    (path) =>
      new FlowError('SnapStoreError', `The journal ${path} can't be opened. Check that its folder exists and is readable and writable.`),
  ],
  ['SQLITE_IOERR', unreadable],
  ['SQLITE_CORRUPT_INDEX', (path) => damaged(path, "an index doesn't match its table")],
  ['SQLITE_CORRUPT', damagedOrUnreadable],
  ['SQLITE_NOTADB', (path) => damaged(path, 'it is not a SQLite file')],
];

/** Runs `action` on the journal at `path`; turns SQLite errors into `FlowError`s with a remedy. */
export function explainingErrors<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const explanation = explanations.find(([prefix]) => code.startsWith(prefix));
    if (!explanation) throw error;
    const explained = explanation[1](path);
    throw explained.with({ details: { path, sqlite: code } });
  }
}
