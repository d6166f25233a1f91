import type { Journal } from './journal.ts';
import { leaseHolder } from './lease.ts';

/** Result of a cancellation. `driven`: another executor holds the run and must be asked. */
export type CancelOutcome = 'cancelled' | 'driven' | 'was_cancelled' | 'was_through';

/** Cancels an idle run by updating its row. Throws `NotFound`. */
export function cancelAtRest(journal: Journal, runId: string, now: number): CancelOutcome {
  return journal.writing(() => {
    const row = journal.row(runId);
    if (row.status === 'cancelled') return 'was_cancelled';
    if (row.status === 'success') return 'was_through';
    if (leaseHolder(row, now)) return 'driven';
    // Without its lease, an executor that was presumed dead can no longer commit.
    journal.database
      .prepare(
        `UPDATE runs SET status = 'cancelled', cancel = 0, updated_at = ?, lease_token = NULL, lease_owner = NULL, lease_expires = NULL WHERE run = ?`,
      )
      .run(now, row.run);
    return 'cancelled';
  });
}
