import { FlowError } from '#shared/run/error.ts';
import type { PostgresConnection, Query } from './connection.ts';

/** What each version of the store adds, in order. A released one is never changed. */
const migrations: readonly string[] = [
  `CREATE TABLE pravah.tokens (
     number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id text NOT NULL UNIQUE,
     name text NOT NULL,
     secret_hash text NOT NULL,
     scopes text NOT NULL,
     created_at bigint NOT NULL,
     expires_at bigint
   );
   CREATE TABLE pravah.requests (
     token_id text NOT NULL,
     route text NOT NULL,
     key text NOT NULL,
     body_hash text NOT NULL,
     intent json,
     answer json,
     created_at bigint NOT NULL,
     owner text NOT NULL,
     claimed_until timestamptz NOT NULL,
     PRIMARY KEY (token_id, route, key)
   );
   CREATE INDEX requests_by_time ON pravah.requests (created_at);
   CREATE TABLE pravah.served_runs (
     run_id text PRIMARY KEY,
     server text NOT NULL,
     folder text NOT NULL,
     metadata json NOT NULL,
     driven boolean NOT NULL
   );
   CREATE INDEX driven_runs ON pravah.served_runs (server) WHERE driven;`,
  `CREATE TABLE pravah.bundles (hash text PRIMARY KEY, packed bytea NOT NULL);
   CREATE TABLE pravah.deployed_versions (
     name text COLLATE "C" NOT NULL,
     version integer NOT NULL,
     hash text NOT NULL REFERENCES pravah.bundles (hash),
     flow text NOT NULL,
     title text NOT NULL,
     deployed_at bigint NOT NULL,
     PRIMARY KEY (name, version),
     UNIQUE (name, hash)
   );
   CREATE TABLE pravah.deployed_flows (
     name text COLLATE "C" PRIMARY KEY,
     version integer NOT NULL,
     FOREIGN KEY (name, version) REFERENCES pravah.deployed_versions (name, version)
   );
   CREATE INDEX deployed_runs ON pravah.served_runs (run_id) WHERE folder LIKE 'flow:%';`,
  `CREATE TABLE pravah.runs (
     run_id text PRIMARY KEY,
     revision bigint NOT NULL,
     cancel boolean NOT NULL,
     lease_token text,
     lease_until timestamptz
   );
   CREATE TABLE pravah.run_changes (
     run_id text NOT NULL REFERENCES pravah.runs (run_id) ON DELETE CASCADE,
     revision bigint NOT NULL,
     change_id text NOT NULL,
     rows text NOT NULL,
     PRIMARY KEY (run_id, revision)
   );
   CREATE TABLE pravah.run_values (hash text PRIMARY KEY, text text NOT NULL);
   CREATE TABLE pravah.run_value_uses (
     run_id text NOT NULL REFERENCES pravah.runs (run_id) ON DELETE CASCADE,
     hash text NOT NULL REFERENCES pravah.run_values (hash),
     revision bigint NOT NULL,
     PRIMARY KEY (run_id, hash)
   );
   CREATE TABLE pravah.servers (server text PRIMARY KEY, there_until timestamptz NOT NULL);
   CREATE INDEX run_value_uses_by_hash ON pravah.run_value_uses (hash);`,
  `ALTER TABLE pravah.served_runs ADD COLUMN pause boolean NOT NULL DEFAULT false;
   CREATE INDEX runs_to_pause ON pravah.served_runs (run_id) WHERE pause;`,
];

/** Key of the lock under which one process at a time migrates. */
const lock = 0x70726176;

/** Number of migrations that a database lacks. Throws `SnapLoadError` if a newer version of pravah has written it. */
export async function pendingMigrations(query: Query): Promise<number> {
  const [known] = await query<{ present: boolean }>(`SELECT to_regclass('pravah.migrations') IS NOT NULL AS present`);
  if (!known?.present) return migrations.length;
  const [row] = await query<{ version: number }>('SELECT coalesce(max(version), 0)::int AS version FROM pravah.migrations');
  const version = row?.version ?? 0;
  if (version > migrations.length)
    throw new FlowError('SnapLoadError', 'The database of DATABASE_URL was written by a newer version of pravah. Update pravah.', {
      details: { version },
    });
  return migrations.length - version;
}

/** Brings a database up to date; other processes wait. Returns the number of migrations that it lacked. Throws `SnapLoadError` for a newer one. */
export function migratePostgres(connection: PostgresConnection): Promise<number> {
  return connection.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [lock]);
    const pending = await pendingMigrations(query);
    if (pending === 0) return 0;
    await query('CREATE SCHEMA IF NOT EXISTS pravah');
    await query(
      'CREATE TABLE IF NOT EXISTS pravah.migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const done = migrations.length - pending;
    for (const [index, migration] of migrations.slice(done).entries()) {
      await query(migration);
      await query('INSERT INTO pravah.migrations (version) VALUES ($1)', [done + index + 1]);
    }
    return pending;
  });
}
