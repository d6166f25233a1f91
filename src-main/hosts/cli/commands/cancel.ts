import { setTimeout as wait } from 'node:timers/promises';
import { exitCodes } from '#main/hosts/cli/options/exit-codes.ts';
import { eventPrinter } from '#main/hosts/cli/output/run-output.ts';
import { printingRefusals } from '#main/hosts/cli/session/session.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { cancelAtRest } from '#main/journal/cancel.ts';
import type { Journal } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { closeJournals, journalOf, openExistingJournals } from '#main/journal/workspace-journals.ts';
import { cancelled, endStream } from '#main/runner/drive-result.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';

/** How long another process may take to stop its run, in milliseconds. */
const patience = 10_000;

/** `pravah cancel RUN`: cancels a run permanently, including one that another process drives. */
export async function cancel(runId: string, options: { readonly folder?: string; readonly json?: boolean }): Promise<number> {
  const json = options.json ?? false;
  const folder = await chooseWorkspace(options.folder);
  return printingRefusals(runId, json, async () => {
    const journals = await openExistingJournals(folder);
    try {
      const journal = journalOf(journals, runId);
      await cancelRun(journal, runId);
      const row = journal.row(runId);
      const states = new RunReader(journal, row).snapshotAt(row.last_seq).states;
      const end = endStream({
        status: 'cancelled',
        error: cancelled(runId).toJSON(),
        states,
        duration_ms: 0,
        tokens: row.tokens,
        stop: null,
      });
      eventPrinter(json)({ run_id: runId, seq: row.last_seq, timestamp: Date.now(), ...end } as RunEvent);
      return exitCodes.success;
    } finally {
      closeJournals(journals);
    }
  });
}

/** Cancels an idle run. For an active run, asks its executor to stop and waits until it has. */
async function cancelRun(journal: Journal, runId: string): Promise<void> {
  const deadline = Date.now() + patience;
  for (let asked = false; ; asked = true) {
    const outcome = cancelAtRest(journal, runId, Date.now());
    if (outcome === 'cancelled' || (outcome === 'was_cancelled' && asked)) return;
    if (outcome !== 'driven') {
      const status = outcome === 'was_cancelled' ? 'cancelled' : 'success';
      throw new FlowError('Conflict', `Can't cancel run ${runId}: it has already ended (${status}).`);
    }
    if (Date.now() > deadline) {
      throw new FlowError('Conflict', `Run ${runId} was asked to stop but is still running. Check it with: pravah show ${runId}.`);
    }
    if (!asked) journal.requestCancel(journal.row(runId));
    await wait(50);
  }
}
