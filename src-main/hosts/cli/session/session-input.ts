import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { closeJournals, journalOf, openExistingJournals } from '#main/journal/workspace-journals.ts';
import { continuedInput } from '#main/session/state/continue-session.ts';
import type { Session } from '#main/session/state/session.ts';
import type { JsonObject } from '#shared/json.ts';

/** The input of a run that continues the session of a finished run of a PyFlow workflow. Throws `UsageError`, and `NotFound` for an unknown run. */
export async function sessionInput(folder: string, runId: string, message: string): Promise<JsonObject> {
  const journals = await openExistingJournals(folder);
  try {
    const journal = journalOf(journals, runId);
    const row = journal.row(runId);
    const end = journal.graphOf(row).nodes.find(({ body }) => body.type === 'session' && 'end' in body.session);
    if (!end) throw new UsageError(`${runId} has no session: only runs of PyFlow workflows have one.`);
    if (row.status !== 'success')
      throw new UsageError(`${runId} has not finished (${row.status}), so its session cannot be continued. Finish it first.`);
    const { states } = new RunReader(journal, row).snapshotAt(row.last_seq - 1);
    const session: unknown = states.find(({ name }) => name === end.from[0])?.value;
    return continuedInput(session as Session, message);
  } finally {
    closeJournals(journals);
  }
}
