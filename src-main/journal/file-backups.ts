import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FileChange } from '#main/engine/ports/recorder.ts';
import { damaged, explainingErrors, type SqlDatabase } from './database.ts';
import { checked, type RunRow } from './rows.ts';

const changeRowSchema = z.object({
  change: z.int(),
  seq: z.int(),
  attempt: z.int(),
  key: z.string(),
  path: z.string(),
  before_hash: z.string().nullable(),
  after_hash: z.string().nullable(),
  note: z.string(),
});

/** A recorded change of a file by a tool. Later ones have a greater `change`. */
export type ChangeRow = z.infer<typeof changeRowSchema>;

const restoredRowSchema = z.object({
  path: z.string(),
  before_hash: z.string().nullable(),
  after_hash: z.string().nullable(),
  note: z.string(),
});

/** A file replaced by a restore, with its content before and after. */
export type RestoredRow = z.infer<typeof restoredRowSchema>;

const restoreRowSchema = z.object({ restore: z.int(), seq: z.int(), undoes: z.int().nullable(), restored_at: z.number() });

/** A restore: the record that it went back to, or the restore that it undid. */
export type RestoreRow = z.infer<typeof restoreRowSchema>;

/** The effect of a run that is about to change a file. */
export interface ChangedBy {
  readonly run: number;
  readonly seq: number;
  readonly attempt: number;
  readonly key: string;
}

/** Backups of workspace files from before tools or restores changed them. Each content is stored once. */
export class FileBackups {
  readonly #database: SqlDatabase;
  readonly #path: string;

  constructor(database: SqlDatabase, path: string) {
    this.#database = database;
    this.#path = path;
  }

  /** Stores a change. Call inside a transaction. */
  recordChange({ run, seq, attempt, key }: ChangedBy, change: FileChange): void {
    this.storeContent(change.before_hash, change.before);
    const { path, before_hash, after_hash, note } = change;
    this.#database
      .prepare('INSERT INTO file_changes (run, seq, attempt, key, path, before_hash, after_hash, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(run, seq, attempt, key, path, before_hash, after_hash, note);
  }

  /** Stores a content once, by its hash. Call inside a transaction. */
  storeContent(hash: string | null, bytes: Uint8Array | null): void {
    if (hash === null || bytes === null) return;
    this.#database.prepare('INSERT OR IGNORE INTO file_contents (hash, bytes) VALUES (?, ?)').run(hash, bytes);
  }

  /** Returns the changes of a run, in order. */
  changes(row: Pick<RunRow, 'run'>): ChangeRow[] {
    const select = 'SELECT change, seq, attempt, key, path, before_hash, after_hash, note FROM file_changes WHERE run = ? ORDER BY change';
    return this.#all(select, row.run).map((found) => checked(changeRowSchema, found, this.#path));
  }

  /** Returns a content by its hash; null if it was not stored. Throws `SnapLoadError` if it was altered. */
  content(hash: string): Buffer | null {
    const [row] = this.#all('SELECT bytes FROM file_contents WHERE hash = ?', hash) as { bytes: unknown }[];
    if (!row) return null;
    if (!Buffer.isBuffer(row.bytes) || createHash('sha256').update(row.bytes).digest('hex') !== hash)
      throw damaged(this.#path, 'the stored content of a file was altered');
    return row.bytes;
  }

  /** Whether a content is stored. */
  has(hash: string): boolean {
    return this.#all('SELECT 1 FROM file_contents WHERE hash = ?', hash).length > 0;
  }

  /** Records a restore and returns its number. Call inside a transaction. */
  beginRestore(row: Pick<RunRow, 'run'>, seq: number, now: number, undoes: number | null = null): number {
    const insert = 'INSERT INTO restores (run, seq, undoes, restored_at) VALUES (?, ?, ?, ?)';
    return Number(this.#database.prepare(insert).run(row.run, seq, undoes, now).lastInsertRowid);
  }

  /** Stores what a restore is about to replace. Call inside a transaction. */
  recordRestored(restore: number, { path, before_hash, after_hash, note, before }: FileChange): void {
    this.storeContent(before_hash, before);
    this.#database
      .prepare('INSERT OR REPLACE INTO restored_files (restore, path, before_hash, after_hash, note) VALUES (?, ?, ?, ?, ?)')
      .run(restore, path, before_hash, after_hash, note);
  }

  /** Returns the restores of a run's files, newest first. */
  restores(row: Pick<RunRow, 'run'>): RestoreRow[] {
    const select = 'SELECT restore, seq, undoes, restored_at FROM restores WHERE run = ? ORDER BY restore DESC';
    return this.#all(select, row.run).map((found) => checked(restoreRowSchema, found, this.#path));
  }

  /** Returns the files that a restore replaced, by path. */
  restored(restore: number): RestoredRow[] {
    const select = 'SELECT path, before_hash, after_hash, note FROM restored_files WHERE restore = ? ORDER BY path';
    return this.#all(select, restore).map((row) => checked(restoredRowSchema, row, this.#path));
  }

  /** Returns the content hashes referenced by a run's changes and restores. */
  contentsOf(row: Pick<RunRow, 'run'>): string[] {
    const select = `SELECT before_hash AS hash FROM file_changes WHERE run = ? AND before_hash IS NOT NULL
      UNION SELECT before_hash FROM restored_files JOIN restores USING (restore) WHERE run = ? AND before_hash IS NOT NULL`;
    return (this.#all(select, row.run, row.run) as { hash: string }[]).map(({ hash }) => hash);
  }

  /** Removes those of these contents that are no longer referenced. Call inside a transaction. */
  removeUnused(hashes: readonly string[]): void {
    const remove = this.#database.prepare(
      `DELETE FROM file_contents WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM file_changes WHERE before_hash = ?)
       AND NOT EXISTS (SELECT 1 FROM restored_files WHERE before_hash = ?)`,
    );
    for (const hash of hashes) remove.run(hash, hash, hash);
  }

  #all(sql: string, ...given: (string | number)[]): unknown[] {
    return explainingErrors(this.#path, () => this.#database.prepare(sql).all(...given));
  }
}
