import { setTimeout as wait } from 'node:timers/promises';
import { type RunWrite, readLimit, type StoredLease, type StoredRun } from '#main/journal/run-store.ts';
import { changedElsewhere } from '#main/journal/working-copy.ts';
import { FlowError } from '#shared/run/error.ts';
import type { PostgresConnection, Query } from './connection.ts';

/** How long a change is sent again to a database that does not answer, in milliseconds. */
const perseverance = 3000;
const pause = 100;

const leaseUntil = (token: number, expires: number) =>
  `CASE WHEN $${token}::text IS NULL THEN NULL ELSE clock_timestamp() + $${expires}::float8 * interval '1 millisecond' END`;

/** Moves a run on, if no other server has, and stores what changed: one statement, so one transaction. */
const storeRows = `WITH moved AS (
    UPDATE pravah.runs SET revision = revision + 1, cancel = coalesce($5, cancel), lease_token = $6, lease_until = ${leaseUntil(6, 7)}
    WHERE run_id = $1 AND revision = $2 RETURNING run_id, revision, cancel),
  changed AS (INSERT INTO pravah.run_changes (run_id, revision, change_id, rows) SELECT run_id, revision, $3, $4 FROM moved),
  kept AS (INSERT INTO pravah.run_values (hash, text)
    SELECT hash, text FROM moved, unnest($8::text[], $9::text[]) AS value (hash, text) ON CONFLICT DO NOTHING),
  used AS (INSERT INTO pravah.run_value_uses (run_id, hash, revision)
    SELECT run_id, hash, revision FROM moved, unnest($8::text[]) AS hash ON CONFLICT DO NOTHING)
  SELECT cancel FROM moved`;

/** Stores a new run. */
const storeFirst = storeRows.replace(
  /WITH moved AS \([\s\S]*?RETURNING run_id, revision, cancel\)/,
  `WITH moved AS (
    INSERT INTO pravah.runs (run_id, revision, cancel, lease_token, lease_until)
    SELECT $1, $2::bigint + 1, coalesce($5, false), $6, ${leaseUntil(6, 7)} ON CONFLICT DO NOTHING RETURNING run_id, revision, cancel)`,
);

/** Runs in PostgreSQL, behind `RunStore`. */
export class PostgresRunStore {
  readonly #connection: PostgresConnection;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  /** See `RunStore.commit`. A change is sent again if the connection is lost; a database that has stored it already says so. */
  async commit(writes: readonly RunWrite[]): Promise<boolean[]> {
    const until = performance.now() + perseverance;
    for (;;) {
      try {
        const [only] = writes;
        if (only && writes.length === 1) return [await commitOne(this.#connection.query, only)];
        return await this.#connection.transaction((query) => inOrder(writes, (write) => commitOne(query, write)));
      } catch (error) {
        const mayRepeat = error instanceof FlowError && error.variant === 'SnapStoreError';
        if (!mayRepeat || performance.now() > until) throw error;
        await wait(pause);
      }
    }
  }

  /** See `RunStore.read`. */
  async read(runId: string, after: number): Promise<StoredRun | null> {
    const { query } = this.#connection;
    const [run] = await query<FoundRun>(
      `SELECT revision, cancel, lease_token, extract(epoch FROM lease_until - clock_timestamp()) * 1000 AS expires_in
       FROM pravah.runs WHERE run_id = $1`,
      [runId],
    );
    if (!run) return null;
    const { cancel, lease_token: token, expires_in: expiresIn } = run;
    const lease: StoredLease | null = token === null ? null : { token, expires_in: Number(expiresIn) };
    const state = { revision: Number(run.revision), lease, cancel };
    if (state.revision <= after) return { ...state, rows: [], values: [] };
    const upTo = Math.min(state.revision, after + readLimit);
    const between = 'run_id = $1 AND revision > $2 AND revision <= $3';
    const [rows, values] = await Promise.all([
      query<{ rows: string }>(`SELECT rows FROM pravah.run_changes WHERE ${between} ORDER BY revision`, [runId, after, upTo]),
      query<{ hash: string; text: string }>(
        `SELECT hash, text FROM pravah.run_value_uses JOIN pravah.run_values USING (hash) WHERE ${between}`,
        [runId, after, upTo],
      ),
    ]);
    // Removed in between.
    if (rows.length < upTo - after) return this.read(runId, after);
    return { ...state, rows: rows.map((row) => row.rows), values: values.map(({ hash, text }) => [hash, text] as const) };
  }
}

interface FoundRun {
  /** The library returns `bigint` and `numeric` as text. */
  readonly revision: string;
  readonly cancel: boolean;
  readonly lease_token: string | null;
  readonly expires_in: string | null;
}

async function inOrder<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await act(item));
  return results;
}

/** Returns whether the run is to be cancelled. */
async function commitOne(query: Query, write: RunWrite): Promise<boolean> {
  const { run_id: runId, after, change } = write;
  switch (change.type) {
    case 'rows':
      return storeChange(query, runId, after, change);
    case 'lease': {
      const [run] = await query<{ cancel: boolean }>(
        `UPDATE pravah.runs SET lease_until = ${leaseUntil(3, 4)} WHERE run_id = $1 AND revision = $2 AND lease_token = $3 RETURNING cancel`,
        [runId, after, change.lease.token, change.lease.expires_in],
      );
      if (!run) throw changedElsewhere(runId);
      return run.cancel;
    }
    case 'cancel': {
      const [run] = await query('UPDATE pravah.runs SET cancel = true WHERE run_id = $1 RETURNING run_id', [runId]);
      if (!run) throw changedElsewhere(runId);
      return true;
    }
    case 'remove':
      return removeRun(query, runId, after);
  }
}

async function storeChange(query: Query, runId: string, after: number, change: Extract<RunWrite['change'], { type: 'rows' }>) {
  // Two servers that store the same values take their locks in one order.
  const values = [...change.values].sort(([one], [other]) => (one < other ? -1 : 1));
  const [run] = await query<{ cancel: boolean }>(after === 0 ? storeFirst : storeRows, [
    ...[runId, after, change.id, change.rows, change.cancel, change.lease?.token ?? null, change.lease?.expires_in ?? null],
    values.map(([hash]) => hash),
    values.map(([, text]) => text),
  ]);
  if (run) return run.cancel;
  // The answer to an earlier attempt may have been lost.
  const [stored] = await query<{ cancel: boolean }>(
    `SELECT cancel FROM pravah.run_changes JOIN pravah.runs USING (run_id)
     WHERE run_id = $1 AND run_changes.revision = $2::bigint + 1 AND change_id = $3`,
    [runId, after, change.id],
  );
  if (!stored) throw changedElsewhere(runId);
  return stored.cancel;
}

async function removeRun(query: Query, runId: string, after: number): Promise<false> {
  const used = await query<{ hash: string }>('SELECT hash FROM pravah.run_value_uses WHERE run_id = $1', [runId]);
  const removed = await query('DELETE FROM pravah.runs WHERE run_id = $1 AND revision = $2 RETURNING run_id', [runId, after]);
  if (removed.length === 0) {
    const left = await query('SELECT FROM pravah.runs WHERE run_id = $1', [runId]);
    if (left.length > 0) throw changedElsewhere(runId);
  }
  const unused = `DELETE FROM pravah.run_values AS value WHERE hash = ANY ($1)
    AND NOT EXISTS (SELECT FROM pravah.run_value_uses AS one WHERE one.hash = value.hash)`;
  // A run that begins to use one meanwhile keeps it, and with it the others for now.
  await query(unused, [used.map(({ hash }) => hash)]).catch((error: unknown) => {
    if (!isInUse(error)) throw error;
  });
  return false;
}

/** SQLSTATE `foreign_key_violation`. */
function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23503';
}
