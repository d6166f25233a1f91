import { randomUUID } from 'node:crypto';
import {
  assertUpToDate,
  deployedFilter,
  type RequestKey,
  type RequestStore,
  requestClaim,
  type ServedRunRow,
  type ServedRunStore,
  type ServerStore,
  type StoredRequest,
  type StoreOptions,
  type TokenRow,
  type TokenStore,
} from '#main/store/server-store.ts';
import type { Scope } from '#shared/contract/server/common.ts';
import { connectPostgres, type Query } from './connection.ts';
import { migratePostgres, pendingMigrations } from './migrations.ts';
import { postgresFlows } from './postgres-flows.ts';

/** Opens a server's store in a PostgreSQL database, which several servers may share. Throws `FlowError` if it can't be reached or is of another version. */
export async function postgresStore(url: string, { migrate = true }: StoreOptions = {}): Promise<ServerStore> {
  const connection = await connectPostgres(url);
  const { query } = connection;
  try {
    if (migrate) await migratePostgres(connection);
    else await assertMigrated(query);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    tokens: postgresTokens(query),
    requests: postgresRequests(query, randomUUID()),
    runs: postgresRuns(query),
    flows: postgresFlows(connection),
    check: () => assertMigrated(query),
    close: () => connection.close(),
  };
}

const name = 'The database of DATABASE_URL';

async function assertMigrated(query: Query): Promise<void> {
  assertUpToDate(await pendingMigrations(query), name);
}

/** Number of migrations that a database lacks. Brings it up to date if `apply` is set. Throws `FlowError`. */
export async function postgresMigrations(url: string, apply: boolean): Promise<number> {
  const connection = await connectPostgres(url);
  try {
    return apply ? await migratePostgres(connection) : await pendingMigrations(connection.query);
  } finally {
    await connection.close();
  }
}

function postgresTokens(query: Query): TokenStore {
  return {
    async create({ id, name, secret_hash, scopes, created_at, expires_at }) {
      await query('INSERT INTO pravah.tokens (id, name, secret_hash, scopes, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)', [
        ...[id, name, secret_hash, scopes.join(' '), created_at, expires_at],
      ]);
    },
    async find(id) {
      const [row] = await query<StoredToken>('SELECT * FROM pravah.tokens WHERE id = $1', [id]);
      return row ? tokenOf(row) : null;
    },
    async list(limit, before) {
      const rows = await query<StoredToken>(
        `SELECT * FROM pravah.tokens
         WHERE number < coalesce((SELECT number FROM pravah.tokens WHERE id = $1), 9223372036854775807) ORDER BY number DESC LIMIT $2`,
        [before, limit],
      );
      return rows.map(tokenOf);
    },
    revoke: async (id) => (await query('DELETE FROM pravah.tokens WHERE id = $1 RETURNING id', [id])).length > 0,
  };
}

/** The library returns `bigint` as text. */
interface StoredToken {
  readonly id: string;
  readonly name: string;
  readonly secret_hash: string;
  readonly scopes: string;
  readonly created_at: string;
  readonly expires_at: string | null;
}

function tokenOf({ id, name, secret_hash, scopes, created_at, expires_at }: StoredToken): TokenRow {
  return {
    id,
    name,
    secret_hash,
    scopes: scopes.split(' ') as Scope[],
    created_at: Number(created_at),
    expires_at: expires_at === null ? null : Number(expires_at),
  };
}

/** `owner` is this process's name in claims. */
function postgresRequests(query: Query, owner: string): RequestStore {
  const here = 'token_id = $1 AND route = $2 AND key = $3';
  const claim = `now() + interval '${requestClaim} milliseconds'`;
  const parts = ({ token_id, route, key }: RequestKey) => [token_id, route, key];
  type Found = Omit<StoredRequest, 'in_progress'>;
  return {
    async begin(key, bodyHash, now) {
      const inserted = await query(
        `INSERT INTO pravah.requests (token_id, route, key, body_hash, created_at, owner, claimed_until)
         VALUES ($1, $2, $3, $4, $5, $6, ${claim}) ON CONFLICT DO NOTHING RETURNING key`,
        [...parts(key), bodyHash, now, owner],
      );
      if (inserted.length > 0) return null;
      // Only a request whose process died is without an answer and a claim.
      const [claimed] = await query<Found>(
        `UPDATE pravah.requests SET owner = $4, claimed_until = ${claim}
         WHERE ${here} AND answer IS NULL AND (claimed_until < now() OR owner = $4) RETURNING body_hash, intent, answer`,
        [...parts(key), owner],
      );
      if (claimed) return { ...claimed, in_progress: false };
      const [found] = await query<Found>(`SELECT body_hash, intent, answer FROM pravah.requests WHERE ${here}`, parts(key));
      // Forgotten in between, since it failed.
      if (!found) return this.begin(key, bodyHash, now);
      return { ...found, in_progress: found.answer === null };
    },
    async renew(key) {
      await query(`UPDATE pravah.requests SET claimed_until = ${claim} WHERE ${here} AND owner = $4`, [...parts(key), owner]);
    },
    async note(key, intent) {
      await query(`UPDATE pravah.requests SET intent = $4 WHERE ${here}`, [...parts(key), JSON.stringify(intent)]);
    },
    async finish(key, answer) {
      await query(`UPDATE pravah.requests SET answer = $4 WHERE ${here}`, [...parts(key), JSON.stringify(answer)]);
    },
    async forget(key) {
      await query(`DELETE FROM pravah.requests WHERE ${here}`, parts(key));
    },
    async forgetBefore(time) {
      await query('DELETE FROM pravah.requests WHERE created_at < $1', [time]);
    },
  };
}

function postgresRuns(query: Query): ServedRunStore {
  const columns = 'run_id, server, folder, metadata, driven';
  return {
    async set({ run_id, server, folder, metadata, driven }) {
      await query(
        `INSERT INTO pravah.served_runs (${columns}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (run_id) DO UPDATE
         SET server = excluded.server, folder = excluded.folder, metadata = excluded.metadata, driven = excluded.driven,
           pause = false`,
        [run_id, server, folder, JSON.stringify(metadata), driven],
      );
    },
    async get(runId) {
      const [row] = await query<ServedRunRow>(`SELECT ${columns} FROM pravah.served_runs WHERE run_id = $1`, [runId]);
      return row ?? null;
    },
    async setDriven(runId, wanted) {
      await query('UPDATE pravah.served_runs SET driven = $2, pause = false WHERE run_id = $1', [runId, wanted]);
    },
    driven: async (server) => [
      ...(await query<ServedRunRow>(`SELECT ${columns} FROM pravah.served_runs WHERE driven AND server = $1`, [server])),
    ],
    async takeOver(server, seconds) {
      await query(
        `INSERT INTO pravah.servers (server, there_until) VALUES ($1, clock_timestamp() + $2::float8 * interval '1 second')
         ON CONFLICT (server) DO UPDATE SET there_until = excluded.there_until`,
        [server, seconds],
      );
      await query(
        `UPDATE pravah.served_runs SET server = $1 WHERE run_id IN (
           SELECT run_id FROM pravah.served_runs AS run WHERE driven AND server <> $1 AND folder LIKE 'flow:%'
             AND NOT EXISTS (SELECT FROM pravah.servers AS other WHERE other.server = run.server AND there_until > clock_timestamp())
           ORDER BY run_id FOR UPDATE SKIP LOCKED)`,
        [server],
      );
    },
    async askToPause(runId) {
      await query('UPDATE pravah.served_runs SET pause = true WHERE run_id = $1', [runId]);
    },
    async toPause() {
      const rows = await query<{ run_id: string }>('SELECT run_id FROM pravah.served_runs WHERE pause');
      return rows.map(({ run_id }) => run_id);
    },
    async remove(runId) {
      await query('DELETE FROM pravah.served_runs WHERE run_id = $1', [runId]);
    },
    deployed: async (limit, before, folder) => {
      const { text, values } = deployedFilter(before, folder, (index) => `$${index}`);
      const limited = `LIMIT $${values.length + 1}`;
      return [
        ...(await query<ServedRunRow>(`SELECT ${columns} FROM pravah.served_runs WHERE ${text} ORDER BY run_id DESC ${limited}`, [
          ...values,
          limit,
        ])),
      ];
    },
  };
}
