/**
 * Origins of runs, sources of their flows, and backups of files that tools changed (migration 3).
 *
 * `origins` has a row for a fork (`parent_…`), and for a run whose records were made under another id (`recorded_as`: the run of a capsule).
 * `file_contents` holds each content once, by the SHA-256 of its bytes; `file_changes` and `restored_files` name them.
 */
export const timeTravelTables = `
  CREATE TABLE origins (
    run INTEGER PRIMARY KEY REFERENCES runs (run) ON DELETE CASCADE,
    parent_run_id TEXT,
    parent_seq INTEGER,
    recorded_as TEXT
  ) STRICT;
  CREATE TABLE sources (
    run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (run, path)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE file_contents (content INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE file_changes (
    change INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    key TEXT NOT NULL,
    path TEXT NOT NULL,
    before_hash TEXT,
    after_hash TEXT,
    note TEXT NOT NULL
  ) STRICT;
  CREATE INDEX file_changes_by_run ON file_changes (run, seq);
  CREATE INDEX file_changes_by_content ON file_changes (before_hash);
  CREATE TABLE restores (
    restore INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    undoes INTEGER,
    restored_at REAL NOT NULL
  ) STRICT;
  CREATE TABLE restored_files (
    restore INTEGER NOT NULL REFERENCES restores (restore) ON DELETE CASCADE,
    path TEXT NOT NULL,
    before_hash TEXT,
    after_hash TEXT,
    note TEXT NOT NULL,
    PRIMARY KEY (restore, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX restored_files_by_content ON restored_files (before_hash);
`;
