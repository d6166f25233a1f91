import type { Journal } from '#main/journal/journal.ts';
import { leaseHolder } from '#main/journal/lease.ts';
import { FlowError } from '#shared/runtime/error.ts';

/**
 * Cancels a run that nobody drives, by its row alone. Returns false when somebody does drive it. Throws `NotFound`, and `Conflict` for
 * a run that has ended.
 */
export function cancelAtRest(journal: Journal, runId: string, now: number): boolean {
  return journal.writing(() => {
    const row = journal.row(runId);
    if (row.status === 'success' || row.status === 'cancelled') {
      throw new FlowError('Conflict', `The run ${runId} has ended already (${row.status}), so there is nothing to cancel.`);
    }
    if (leaseHolder(row, now)) return false;
    // Without its lease, a driver that was thought dead cannot commit any more.
    journal.database
      .prepare(
        `UPDATE runs SET status = 'cancelled', cancel = 0, updated_at = ?, lease_token = NULL, lease_owner = NULL, lease_expires = NULL WHERE run = ?`,
      )
      .run(now, row.run);
    return true;
  });
}
