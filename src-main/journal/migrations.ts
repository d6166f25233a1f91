import { FlowError } from '#shared/run/error.ts';
import { conversationQueue, conversationTables } from './conversation-tables.ts';
import { explainingErrors, inTransaction, pragmaNumber, type SqlDatabase } from './database.ts';
import { stateAccessTables } from './state-accesses.ts';
import { timeTravelTables } from './time-travel-tables.ts';

/** One change of the journal's tables. Applied in order, each in a transaction; never edited once released. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Marks a SQLite file as a journal of ours (`PRAGMA application_id`): the bytes "PRVH". */
const applicationId = 0x50525648;

export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'runs, steps, snapshots, messages, effects, failures, blobs',
    sql: `
      CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE runs (
        run INTEGER PRIMARY KEY,
        run_id TEXT NOT NULL UNIQUE,
        flow_path TEXT NOT NULL,
        flow_name TEXT NOT NULL,
        flow_hash TEXT NOT NULL,
        flow_text TEXT NOT NULL,
        graph TEXT NOT NULL,
        input TEXT NOT NULL,
        models TEXT NOT NULL,
        status TEXT NOT NULL,
        last_seq INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        output TEXT,
        error TEXT,
        suspensions TEXT NOT NULL,
        cancel INTEGER NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        lease_token TEXT,
        lease_owner TEXT,
        lease_expires REAL
      ) STRICT;
      CREATE INDEX runs_by_time ON runs (created_at);
      CREATE TABLE steps (
        run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        type TEXT NOT NULL,
        node TEXT NOT NULL,
        kind TEXT NOT NULL,
        phase TEXT,
        consumed TEXT NOT NULL,
        produced TEXT NOT NULL,
        produced_values TEXT NOT NULL,
        control TEXT NOT NULL,
        events TEXT NOT NULL,
        started_at REAL NOT NULL,
        duration_ms REAL NOT NULL,
        tokens INTEGER NOT NULL,
        pure INTEGER NOT NULL,
        note TEXT NOT NULL,
        PRIMARY KEY (run, seq)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE snapshots (
        run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        states TEXT NOT NULL,
        control TEXT NOT NULL,
        PRIMARY KEY (run, seq)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE messages (
        run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        node TEXT NOT NULL,
        seq INTEGER NOT NULL,
        messages TEXT NOT NULL,
        PRIMARY KEY (run, node, seq)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE effects (
        run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        key TEXT NOT NULL,
        kind TEXT NOT NULL,
        node TEXT NOT NULL,
        name TEXT NOT NULL,
        input TEXT NOT NULL,
        started_at REAL NOT NULL,
        finished_at REAL,
        outcome TEXT,
        PRIMARY KEY (run, seq, attempt, key)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE failures (
        run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        failed_at REAL NOT NULL,
        error TEXT NOT NULL,
        events TEXT NOT NULL,
        PRIMARY KEY (run, seq, attempt)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE blobs (hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE blob_uses (
        run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        hash TEXT NOT NULL REFERENCES blobs (hash),
        PRIMARY KEY (run, hash)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX blob_uses_by_hash ON blob_uses (hash);
    `,
  },
  {
    version: 2,
    name: 'in which turn of its agent a record falls',
    sql: `
      ALTER TABLE steps ADD COLUMN turn INTEGER;
      UPDATE steps SET turn = (
        SELECT count(*) FROM steps AS earlier
        WHERE earlier.run = steps.run AND earlier.node = steps.node AND earlier.phase = 'reason' AND earlier.seq <= steps.seq
          AND earlier.seq > coalesce((
            SELECT max(ending.seq) FROM steps AS ending
            WHERE ending.run = steps.run AND ending.node = steps.node AND ending.seq < steps.seq
              AND ending.type = 'transition' AND ending.produced <> '[]'
          ), 0)
      ) WHERE kind = 'agent';
    `,
  },
  { version: 3, name: 'origins of runs, sources of flows, contents of files', sql: timeTravelTables },
  {
    version: 4,
    name: 'what nodes had done up to some records, who talked to a model since when; values in pieces',
    sql: `
      CREATE TABLE tallies (
        run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        tallies TEXT NOT NULL,
        PRIMARY KEY (run, seq)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE conversations (
        run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        node TEXT NOT NULL,
        since INTEGER NOT NULL,
        PRIMARY KEY (run, node)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO conversations (run, node, since) SELECT run, node, min(seq) FROM messages GROUP BY run, node;
    `,
  },
  {
    version: 5,
    name: 'how the effect ended that was the last of its record, in the row of that record',
    sql: `
      ALTER TABLE steps ADD COLUMN ended_key TEXT;
      ALTER TABLE steps ADD COLUMN ended_attempt INTEGER;
      ALTER TABLE steps ADD COLUMN ended_at REAL;
      ALTER TABLE steps ADD COLUMN ended_outcome TEXT;
      CREATE VIEW recorded_effects AS
        SELECT effects.run, effects.seq, attempt, key, effects.kind, effects.node, name, input, effects.started_at,
          coalesce(finished_at, ended_at) AS finished_at, coalesce(outcome, ended_outcome) AS outcome
        FROM effects LEFT JOIN steps
          ON steps.run = effects.run AND steps.seq = effects.seq AND ended_key = effects.key AND ended_attempt = effects.attempt;
    `,
  },
  {
    version: 6,
    name: 'forks that take the place of their parents, and variants of a matrix',
    sql: `
      ALTER TABLE origins ADD COLUMN continues INTEGER;
      ALTER TABLE origins ADD COLUMN group_id TEXT;
      ALTER TABLE origins ADD COLUMN variant TEXT;
      CREATE INDEX origins_by_group ON origins (group_id) WHERE group_id IS NOT NULL;
    `,
  },
  { version: 7, name: 'records that wrote and consumed each state', sql: stateAccessTables },
  { version: 8, name: 'by which rules a run makes its records', sql: 'ALTER TABLE runs ADD COLUMN engine INTEGER NOT NULL DEFAULT 1;' },
  {
    version: 9,
    name: 'outputs of records (key empty) and outcomes of effects that pins and mocks supplied; of a fork, with record 0, those before it',
    sql: `
      CREATE TABLE supplied (
        run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        key TEXT NOT NULL,
        mark TEXT NOT NULL,
        PRIMARY KEY (run, seq, attempt, key)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  { version: 10, name: 'conversations of the workspace', sql: conversationTables },
  {
    version: 11,
    name: 'effects that began before the turn of their steps',
    sql: `
      CREATE TABLE ahead_effects (
        run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        ready TEXT NOT NULL,
        node TEXT NOT NULL,
        phase TEXT NOT NULL,
        key TEXT NOT NULL,
        kind TEXT NOT NULL,
        effect_node TEXT NOT NULL,
        name TEXT NOT NULL,
        input TEXT NOT NULL,
        started_at REAL NOT NULL,
        finished_at REAL,
        outcome TEXT,
        PRIMARY KEY (run, ready, node, phase, key)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: 12,
    name: 'effects that were repeated',
    sql: `
      -- When an effect with an unknown outcome was begun once more.
      CREATE TABLE repeated_effects (
        repetition INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        key TEXT NOT NULL,
        started_at REAL NOT NULL
      ) STRICT;
      CREATE INDEX repeated_effects_by_record ON repeated_effects (run, seq, key);
    `,
  },
  { version: 13, name: 'runs that wait for a conversation', sql: conversationQueue },
];

/** Version of the tables that this program writes. */
export const currentVersion = migrations.length;

/** Version of the tables in an open file; 0 for an empty one. */
export function versionOf(database: SqlDatabase): number {
  return pragmaNumber(database, 'user_version');
}

/** Brings an open journal up to `target` (default: the newest version). Throws `SnapLoadError` for a file that is not a journal or has a newer version. */
export function migrate(database: SqlDatabase, path: string, target: number = currentVersion): void {
  if (versionOf(database) === target && pragmaNumber(database, 'application_id') === applicationId) return;
  explainingErrors(path, () =>
    inTransaction(database, () => {
      const version = versionOf(database);
      checkOrigin(database, path, version);
      if (version === 0) database.pragma(`application_id = ${applicationId}`);
      for (const migration of migrations.slice(version, target)) database.exec(migration.sql);
      database.pragma(`user_version = ${Math.max(version, target)}`);
    }),
  );
}

/** Refuses a file whose tables are not those of a known journal version. */
function checkOrigin(database: SqlDatabase, path: string, version: number): void {
  if (version > currentVersion) {
    throw new FlowError(
      'SnapLoadError',
      `The journal ${path} was written by a newer Pravah Studio (version ${version}, known here: ${currentVersion}). Update this one.`,
    );
  }
  const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
  const ours = pragmaNumber(database, 'application_id') === applicationId;
  if (!ours && tables.count > 0) {
    throw new FlowError(
      'SnapLoadError',
      `${path} is a database of another program, not a journal. Move it away; nothing in it was changed.`,
    );
  }
}

/** Refuses a file whose schema contains anything but our tables (a trigger or view could execute on reads). */
export function checkSchemaIsOurs(database: SqlDatabase, path: string, fresh: SqlDatabase): void {
  const version = versionOf(database);
  checkOrigin(database, path, version);
  migrate(fresh, ':memory:', version);
  const schemaOf = (of: SqlDatabase) =>
    JSON.stringify(
      explainingErrors(path, () => of.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all()),
    );
  if (version === 0 || schemaOf(database) !== schemaOf(fresh)) {
    throw new FlowError(
      'SnapLoadError',
      `${path} does not hold the tables of a journal, or more than those. It is not opened; nothing in it was changed.`,
    );
  }
}
