import { existsSync } from 'node:fs';
import { openDatabase, type SqlDatabase } from '#main/journal/database.ts';
import {
  assertUpToDate,
  deployedFilter,
  type RequestStore,
  type ServedRunRow,
  type ServedRunStore,
  type ServerStore,
  type StoreOptions,
  type TokenRow,
  type TokenStore,
} from '#main/store/server-store.ts';
import type { Scope } from '#shared/contract/server/common.ts';
import type { JsonObject } from '#shared/json.ts';
import { migrate, pendingMigrations } from './migrations.ts';
import { sqliteFlows } from './sqlite-flows.ts';

/**
 * Opens a server's store in a SQLite file, or in memory (`:memory:`). Throws `FlowError` if it can't be opened, was written by a newer version, or is outdated
 * and not to be migrated.
 */
export function sqliteStore(path: string, { migrate: update = true }: StoreOptions = {}): ServerStore {
  const database = openDatabase(path);
  try {
    if (update) migrate(database, path);
    else assertUpToDate(pendingMigrations(database, path), path);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    tokens: sqliteTokens(database),
    requests: sqliteRequests(database),
    runs: sqliteRuns(database),
    flows: sqliteFlows(database),
    check: async () => {
      database.prepare('SELECT 1').get();
    },
    close: async () => {
      database.close();
    },
  };
}

function sqliteTokens(database: SqlDatabase): TokenStore {
  const insert = database.prepare(
    'INSERT INTO tokens (id, name, secret_hash, scopes, created_at, expires_at) VALUES (@id, @name, @secret_hash, @scopes, @created_at, @expires_at)',
  );
  const find = database.prepare('SELECT * FROM tokens WHERE id = ?');
  const list = database.prepare(
    'SELECT * FROM tokens WHERE number < coalesce((SELECT number FROM tokens WHERE id = ?), 9e18) ORDER BY number DESC LIMIT ?',
  );
  const revoke = database.prepare('DELETE FROM tokens WHERE id = ?');
  return {
    async create(row) {
      insert.run({ ...row, scopes: row.scopes.join(' ') });
    },
    async find(id) {
      const row = find.get(id) as StoredToken | undefined;
      return row ? tokenOf(row) : null;
    },
    list: async (limit, before) => (list.all(before, limit) as StoredToken[]).map(tokenOf),
    revoke: async (id) => revoke.run(id).changes > 0,
  };
}

type StoredToken = Omit<TokenRow, 'scopes'> & { readonly scopes: string };

function tokenOf({ id, name, secret_hash, scopes, created_at, expires_at }: StoredToken): TokenRow {
  return { id, name, secret_hash, scopes: scopes.split(' ') as Scope[], created_at, expires_at };
}

function sqliteRequests(database: SqlDatabase): RequestStore {
  const here = 'token_id = @token_id AND route = @route AND key = @key';
  const insert = database.prepare(
    'INSERT INTO requests (token_id, route, key, body_hash, created_at) VALUES (@token_id, @route, @key, @body_hash, @now) ON CONFLICT DO NOTHING',
  );
  const find = database.prepare(`SELECT body_hash, intent, answer FROM requests WHERE ${here}`);
  const note = database.prepare(`UPDATE requests SET intent = @intent WHERE ${here}`);
  const finish = database.prepare(`UPDATE requests SET answer = @answer WHERE ${here}`);
  const forget = database.prepare(`DELETE FROM requests WHERE ${here}`);
  const forgetBefore = database.prepare('DELETE FROM requests WHERE created_at < ?');
  return {
    async begin(key, bodyHash, now) {
      if (insert.run({ ...key, body_hash: bodyHash, now }).changes > 0) return null;
      const row = find.get(key) as { body_hash: string; intent: string | null; answer: string | null };
      return {
        body_hash: row.body_hash,
        intent: row.intent === null ? null : JSON.parse(row.intent),
        answer: row.answer === null ? null : JSON.parse(row.answer),
        // One process at a time uses the file.
        in_progress: false,
      };
    },
    renew: async () => undefined,
    async note(key, intent) {
      note.run({ ...key, intent: JSON.stringify(intent) });
    },
    async finish(key, answer) {
      finish.run({ ...key, answer: JSON.stringify(answer) });
    },
    async forget(key) {
      forget.run(key);
    },
    async forgetBefore(time) {
      forgetBefore.run(time);
    },
  };
}

interface StoredRun {
  readonly run_id: string;
  readonly server: string;
  readonly folder: string;
  readonly metadata: string;
  readonly driven: number;
}

function sqliteRuns(database: SqlDatabase): ServedRunStore {
  const set = database.prepare(
    `INSERT INTO served_runs (run_id, server, folder, metadata, driven) VALUES (@run_id, @server, @folder, @metadata, @driven)
     ON CONFLICT (run_id) DO UPDATE SET server = excluded.server, folder = excluded.folder, metadata = excluded.metadata, driven = excluded.driven`,
  );
  const get = database.prepare('SELECT * FROM served_runs WHERE run_id = ?');
  const setDriven = database.prepare('UPDATE served_runs SET driven = ? WHERE run_id = ?');
  const driven = database.prepare('SELECT * FROM served_runs WHERE driven = 1 AND server = ?');
  const remove = database.prepare('DELETE FROM served_runs WHERE run_id = ?');
  return {
    async set(row) {
      set.run({ ...row, metadata: JSON.stringify(row.metadata), driven: row.driven ? 1 : 0 });
    },
    async get(runId) {
      const row = get.get(runId) as StoredRun | undefined;
      return row ? runOf(row) : null;
    },
    async setDriven(runId, wanted) {
      setDriven.run(wanted ? 1 : 0, runId);
    },
    driven: async (server) => (driven.all(server) as StoredRun[]).map(runOf),
    takeOver: async () => undefined,
    askToPause: async () => undefined,
    toPause: async () => [],
    async remove(runId) {
      remove.run(runId);
    },
    deployed: async (limit, before, folder) => {
      const { text, values } = deployedFilter(before, folder, () => '?');
      const rows = database.prepare(`SELECT * FROM served_runs WHERE ${text} ORDER BY run_id DESC LIMIT ?`).all(...values, limit);
      return (rows as StoredRun[]).map(runOf);
    },
  };
}

function runOf({ run_id, server, folder, metadata, driven }: StoredRun): ServedRunRow {
  return { run_id, server, folder, metadata: JSON.parse(metadata) as JsonObject, driven: driven === 1 };
}

/** Number of migrations that a store lacks; all of them if it is missing. Brings it up to date if `apply` is set. Throws `FlowError`. */
export function sqliteMigrations(path: string, apply: boolean): number {
  const database = openDatabase(apply || existsSync(path) ? path : ':memory:');
  try {
    return apply ? migrate(database, path) : pendingMigrations(database, path);
  } finally {
    database.close();
  }
}
