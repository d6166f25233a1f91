import { FlowError } from '#shared/run/error.ts';
import { inTransaction, needsTransactions, prepared, type SqlDatabase } from './database.ts';
import { hasEnded, ownerText, ownProcess, type ProcessOwner, parseOwner } from './process-owner.ts';
import { moveOn } from './progress.ts';

/** Lifetime of a lease without a heartbeat, in milliseconds. Longer than a handler may block its thread. */
export const leaseDuration = 15_000;

/** Time between two heartbeats, in milliseconds. */
export const heartbeatInterval = 2_000;

/** The columns of a run's lease. */
export interface LeaseRow {
  readonly lease_token: string | null;
  readonly lease_owner: string | null;
  readonly lease_expires: number | null;
}

/** Returns the owner of a run's lease, or null. A lease is valid until it expires, unless its owner is known to have ended. */
export function leaseHolder(row: LeaseRow, now: number): { readonly token: string; readonly owner: ProcessOwner | null } | null {
  if (row.lease_token === null || row.lease_expires === null || row.lease_expires < now) return null;
  const owner = parseOwner(row.lease_owner ?? '');
  return owner && hasEnded(owner) ? null : { token: row.lease_token, owner };
}

/**
 * Takes the lease of a run for `token`. A lease of a dead or silent owner is taken over, and so is `takeOver`'s (a thread of this
 * process that was terminated). Throws `FlowError` `Conflict` if another executor holds the lease.
 */
export function acquireLease(database: SqlDatabase, run: number, token: string, now: number, takeOver?: string): void {
  inTransaction(database, () => {
    const row = prepared(database, 'SELECT lease_token, lease_owner, lease_expires FROM runs WHERE run = ?').get(run) as
      | LeaseRow
      | undefined;
    if (!row) throw new FlowError('NotFound', 'The run was removed in the meantime.');
    const holder = leaseHolder(row, now);
    if (holder && holder.token !== token && holder.token !== takeOver) {
      const { owner } = holder;
      const here = owner?.place === ownProcess().place;
      const who = here ? `Process ${owner?.pid}` : 'A process in another container or on another machine';
      throw new FlowError(
        'Conflict',
        `${who} is driving this run. Nothing was changed. Wait until it has stopped, or stop it there, then try again.`,
        { details: here && owner ? { pid: owner.pid } : {} },
      );
    }
    prepared(database, 'UPDATE runs SET lease_token = ?, lease_owner = ?, lease_expires = ? WHERE run = ?').run(
      token,
      ownerText(ownProcess()),
      now + leaseDuration,
      run,
    );
    prepared(database, moveOn).run(run);
  });
}

/** Renews the lease of `token`; returns whether it is still held and whether a cancellation was requested. */
export function renewLease(
  database: SqlDatabase,
  run: number,
  token: string,
  now: number,
): { readonly held: boolean; readonly cancel: boolean } {
  const renew = () =>
    prepared(database, 'UPDATE runs SET lease_expires = ? WHERE run = ? AND lease_token = ?').run(now + leaseDuration, run, token).changes;
  let held: boolean;
  try {
    held = changing(database, renew) === 1;
  } catch (error) {
    if (!(error instanceof FlowError) || error.variant !== 'Conflict') throw error;
    // Another server has the run.
    held = false;
  }
  const row = prepared(database, 'SELECT cancel FROM runs WHERE run = ?').get(run) as { cancel: number } | undefined;
  return { held, cancel: row?.cancel === 1 };
}

/** Releases the lease, so that the next executor need not wait. Returns whether it was still held. */
export function releaseLease(database: SqlDatabase, run: number, token: string): boolean {
  const released = changing(database, () =>
    prepared(
      database,
      'UPDATE runs SET lease_token = NULL, lease_owner = NULL, lease_expires = NULL WHERE run = ? AND lease_token = ?',
    ).run(run, token),
  );
  return released.changes === 1;
}

/** Runs a single statement, which is its own transaction where that is enough. */
function changing<Result>(database: SqlDatabase, write: () => Result): Result {
  return needsTransactions(database) ? inTransaction(database, write) : write();
}
