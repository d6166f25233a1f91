import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { FlowError } from '#shared/run/error.ts';

/** Connections that a process opens at most. */
const connections = 10;
/** Oldest version that is supported. */
const oldestVersion = 15;
/** Times that a statement is tried whose transaction another one broke. */
const attempts = 5;

export type Query = <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** A PostgreSQL database. */
export interface PostgresConnection {
  /** Runs one statement. It is tried again if another transaction broke it. Throws `FlowError`: `SnapStoreError` if the database does not answer. */
  readonly query: Query;
  /** Runs statements in one transaction, which is tried again as a whole. Throws `FlowError`. */
  transaction<Result>(action: (query: Query) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Connects to the database of an address like `postgres://user:password@host/name`. Throws `FlowError` if it can't be reached or is too old. */
export async function connectPostgres(url: string): Promise<PostgresConnection> {
  // Only servers with a database load the library.
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'pravah',
  });
  // An idle connection that breaks is replaced when it is needed.
  pool.on('error', () => undefined);
  const connection = new PooledConnection(pool);
  try {
    const [row] = await connection.query<{ server_version_num: string }>('SHOW server_version_num');
    const version = Math.floor(Number(row?.server_version_num) / 10_000);
    if (version < oldestVersion)
      throw new FlowError('SnapStoreError', `PostgreSQL ${version} is too old. Use version ${oldestVersion} or newer.`, {
        details: { version },
      });
    return connection;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

class PooledConnection implements PostgresConnection {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  query = <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    this.#withClient((client) => retrying(async () => (await client.query<Row>(text, [...values])).rows));

  transaction<Result>(action: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#withClient((client) =>
      retrying(async () => {
        await client.query('BEGIN');
        try {
          const result = await action(async (text, values = []) => (await client.query(text, [...values])).rows);
          await client.query('COMMIT');
          return result;
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined);
          throw error;
        }
      }),
    );
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #withClient<Result>(action: (client: PoolClient) => Promise<Result>): Promise<Result> {
    let client: PoolClient | undefined;
    let failed = false;
    try {
      client = await this.#pool.connect();
      // Otherwise a connection that breaks between two statements would end the process.
      client.on('error', ignore);
      return await action(client);
    } catch (error) {
      failed = !(error instanceof FlowError);
      throw explained(error);
    } finally {
      client?.off('error', ignore);
      client?.release(failed);
    }
  }
}

const ignore = () => undefined;

/** SQLSTATE of a transaction that another one broke: serialization failure, deadlock. */
const brokenByOthers: ReadonlySet<string> = new Set(['40001', '40P01']);

async function retrying<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      if (attempt === attempts || !brokenByOthers.has(codeOf(error))) throw error;
    }
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** What PostgreSQL's error means for a caller. Its text has no SQL, but it may have names and values, so it is shown only where the cause is outside. */
function explained(error: unknown): Error {
  if (error instanceof FlowError) return error;
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  if (code === '22021' || code === '22P05')
    return new FlowError('DeserializeError', "PostgreSQL can't store a text with a null character. Leave it out.");
  const failure = (message: string) => new FlowError('SnapStoreError', message, { details: { code } });
  if (code.startsWith('28')) return failure(`PostgreSQL refused to log in: ${text}. Check DATABASE_URL.`);
  if (code === '3D000') return failure(`${text}. Create it, or change DATABASE_URL.`);
  if (code === '42501') return failure(`PostgreSQL refused access: ${text}. Grant it to the user of DATABASE_URL.`);
  if (code === '57014') return failure('PostgreSQL took more than 30 s for a statement. Try again.');
  if (code.startsWith('53')) return failure(`PostgreSQL has no room: ${text}.`);
  // A class of SQLSTATE for lost connections and shutdowns, the socket's errors, or the library's own, which have no code.
  if (/^(08|57P)/.test(code) || /^E[A-Z]+$/.test(code) || code === '')
    return failure(`The PostgreSQL database can't be reached: ${text || code}. Try again.`);
  return error instanceof Error ? error : new Error(text);
}
