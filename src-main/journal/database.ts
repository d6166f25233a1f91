import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { lockAttempt, longestLockWait, waitingForLock } from '#main/journal/lock-wait.ts';
import { FlowError } from '#shared/runtime/error.ts';

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
 * Throws `FlowError` (`SnapStoreError` when it cannot be opened or written, `SnapLoadError` when it is damaged).
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

/** Reads, or writes with a single statement, and waits for locks of other processes. */
export function whenUnlocked<Result>(database: SqlDatabase, action: () => Result): Result {
  return database.inTransaction ? action() : waitingForLock(action, { wait: waits.get(database) });
}

/** SQLite's number for `synchronous=FULL`: what a transaction wrote is on disk when it returns. */
const fullSync = 2;

/** A build of SQLite that does not do as it is told would lose what a run has been promised to keep. */
function assertFullSync(database: SqlDatabase, path: string): void {
  if (pragmaNumber(database, 'synchronous') === fullSync) return;
  throw new FlowError('SnapStoreError', `The journal ${path} cannot be kept safely: this SQLite does not sync its writes.`, {
    details: { path },
  });
}

/** A pragma's number. Read from its row, since not every binding of SQLite gives a bare value. */
export function pragmaNumber(database: SqlDatabase, name: string): number {
  const [row] = database.pragma(name) as readonly Record<string, unknown>[];
  return Number(Object.values(row ?? {})[0]);
}

/**
 * Opens a file to be viewed only. Where even that would need writing (a file in WAL mode in a read-only folder), a copy in the
 * system's temporary folder is opened instead, which nobody else sees.
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
    // In one file, the copy needs its folder no longer.
    copy.pragma('journal_mode = MEMORY');
    copy.pragma('query_only = ON');
    return copy;
  } finally {
    // An open file can be removed, save on Windows, where the system clears its temporary folder.
    if (process.platform !== 'win32') rmSync(folder, { recursive: true, force: true });
  }
}

const statements = new WeakMap<SqlDatabase, Map<string, Statement>>();

/** The statement of this text, compiled once for a connection. Only for texts that stand in the source: each one is kept. */
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

/** Runs `write` in a transaction that takes the write lock at once; it is on disk when this returns, or undone when it throws. */
export function inTransaction<Result>(database: SqlDatabase, write: () => Result): Result {
  let transact = transactions.get(database);
  if (!transact) {
    transact = database.transaction((inside: () => unknown) => inside()).immediate;
    transactions.set(database, transact);
  }
  if (database.inTransaction) return transact(write) as Result;
  const begin = transact;
  let begun = false;
  const once = () => {
    begun = true;
    return write();
  };
  // With the lock taken, what is half done is not done again.
  return waitingForLock(() => begin(once) as Result, { wait: waits.get(database), mayRepeat: () => !begun });
}

/** True when the last process that wrote the file did not close it, or has it open now. */
export function wasNotClosed(path: string): boolean {
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return wal !== undefined && wal.size > 0;
}

/** Looks through the whole file. Throws `SnapLoadError` when it is damaged. */
export function quickCheck(database: SqlDatabase, path: string, explaining: typeof explainingErrors = explainingErrors): void {
  const rows = explaining(path, () => database.pragma('quick_check(1)')) as readonly Record<string, unknown>[];
  const verdict = String(Object.values(rows[0] ?? {})[0]);
  if (verdict === 'ok') return;
  throw isReadError(verdict) ? unreadable(path) : damaged(path, verdict);
}

/** The check reports a page that the disk did not give by SQLite's number of the error, whose last byte says that it is one of reading or writing. */
function isReadError(verdict: string): boolean {
  const code = /error code=(\d+)/.exec(verdict)?.[1];
  return code !== undefined && (Number(code) & 0xff) === ioErrorCode;
}

const ioErrorCode = 10;

function unreadable(path: string): FlowError {
  return new FlowError(
    'SnapStoreError',
    `Reading or writing the journal ${path} failed. Check the disk and its free space, then continue the run; nothing in the journal was changed.`,
  );
}

/** What is behind a report of damage. SQLite makes one of a read that the disk failed (EIO), too: then the file is whole when it is read again. */
function damagedOrUnreadable(path: string): FlowError {
  const found = damaged(path, 'its pages do not fit together');
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
    `The journal ${path} is damaged (${what}). Move it away to start a new one; nothing in it was changed.`,
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
        `The journal ${path} has been locked by another program for too long. Close that program, then try again; nothing was lost.`,
      ),
  ],
  [
    'SQLITE_LOCKED',
    (path) => new FlowError('SnapStoreError', `The journal ${path} is locked by another program. Try again; nothing was lost.`),
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
        `The journal ${path} cannot be written: it or its folder is read-only. Allow writing there, then try again.`,
      ),
  ],
  [
    'SQLITE_CANTOPEN',
    (path) =>
      new FlowError('SnapStoreError', `The journal ${path} cannot be opened. Check that its folder exists and may be read and written.`),
  ],
  ['SQLITE_IOERR', unreadable],
  ['SQLITE_CORRUPT_INDEX', (path) => damaged(path, 'an index does not fit its table')],
  ['SQLITE_CORRUPT', damagedOrUnreadable],
  ['SQLITE_NOTADB', (path) => damaged(path, 'it is no SQLite file')],
];

/** Runs `action` on the journal at `path`; a failure of SQLite comes out as a `FlowError` that says what to do. */
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
