import { pragmaNumber, type SqlDatabase } from '#main/journal/database.ts';
import { FlowError } from '#shared/run/error.ts';

/** What each version of the store adds, in order. A released one is never changed. */
const migrations: readonly string[] = [
  `CREATE TABLE tokens (
     number INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     name TEXT NOT NULL,
     secret_hash TEXT NOT NULL,
     scopes TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER
   ) STRICT;
   CREATE TABLE requests (
     token_id TEXT NOT NULL,
     route TEXT NOT NULL,
     key TEXT NOT NULL,
     body_hash TEXT NOT NULL,
     intent TEXT,
     answer TEXT,
     created_at INTEGER NOT NULL,
     PRIMARY KEY (token_id, route, key)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX requests_by_time ON requests (created_at);
   CREATE TABLE served_runs (
     run_id TEXT PRIMARY KEY,
     folder TEXT NOT NULL,
     metadata TEXT NOT NULL,
     driven INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX driven_runs ON served_runs (run_id) WHERE driven = 1;`,
  `ALTER TABLE served_runs ADD COLUMN server TEXT NOT NULL DEFAULT '';`,
  `CREATE TABLE bundles (hash TEXT PRIMARY KEY, packed BLOB NOT NULL) STRICT;
   CREATE TABLE deployed_versions (
     name TEXT NOT NULL,
     version INTEGER NOT NULL,
     hash TEXT NOT NULL REFERENCES bundles (hash),
     flow TEXT NOT NULL,
     title TEXT NOT NULL,
     deployed_at INTEGER NOT NULL,
     PRIMARY KEY (name, version),
     UNIQUE (name, hash)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE deployed_flows (
     name TEXT PRIMARY KEY,
     version INTEGER NOT NULL,
     FOREIGN KEY (name, version) REFERENCES deployed_versions (name, version)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX deployed_runs ON served_runs (run_id) WHERE folder LIKE 'flow:%';`,
];

/** Number of migrations that a store lacks. Throws `SnapLoadError` if a newer version of pravah has written it. */
export function pendingMigrations(database: SqlDatabase, path: string): number {
  const version = pragmaNumber(database, 'user_version');
  if (version > migrations.length)
    throw new FlowError('SnapLoadError', `${path} was written by a newer version of pravah. Update pravah, or use another --data folder.`, {
      details: { path },
    });
  return migrations.length - version;
}

/** Brings a store up to date. Returns the number of migrations that it lacked. Throws `SnapLoadError` for a newer one. */
export function migrate(database: SqlDatabase, path: string): number {
  return database
    .transaction(() => {
      const pending = pendingMigrations(database, path);
      for (const migration of migrations.slice(migrations.length - pending)) database.exec(migration);
      database.pragma(`user_version = ${migrations.length}`);
      return pending;
    })
    .immediate();
}
