import type { Journal } from '#main/journal/journal.ts';
import { countMarks } from '#main/journal/supplied-marks.ts';
import { historyOptions } from '#main/time-travel/history-options.ts';
import { replayRun } from '#main/time-travel/replay.ts';
import type { ReplayReport } from '#shared/contract/time-travel.ts';
import { FlowError, type TransferableError, toTransferable } from '#shared/run/error.ts';
import { openCapsule } from './open-capsule.ts';

/** Result of testing the current flow with a capsule. */
export type CapsuleVerdict =
  | { readonly verdict: 'same' | 'differs'; readonly report: ReplayReport }
  /** The capsule or the flow is unusable. */
  | { readonly verdict: 'broken'; readonly error: TransferableError };

/** Replays a capsule's run with the current flow in `folder` (a real path). A run that pins or mocks supplied tests less than it seems, so it has to be allowed. */
export async function testCapsule(text: string, name: string, folder: string, allowSupplied = false): Promise<CapsuleVerdict> {
  try {
    const { journal, runId } = await openCapsule(text, name);
    try {
      if (!allowSupplied) assertNothingSupplied(journal, runId);
      const report = await replayRun(journal, runId, 'current', await historyOptions(folder));
      return { verdict: report.divergence ? 'differs' : 'same', report };
    } finally {
      journal.close();
    }
  } catch (error) {
    return { verdict: 'broken', error: toTransferable(error) };
  }
}

function assertNothingSupplied(journal: Journal, runId: string): void {
  const supplied = countMarks(journal.database, journal.row(runId).run);
  if (supplied === 0) return;
  const what = supplied === 1 ? '1 output' : `${supplied} outputs`;
  throw new FlowError(
    'Invalid',
    `The capsule can't be tested: pins or mocks supplied ${what} of its run, which the flow did not compute. Export another run, or add --allow-supplied.`,
    { details: { supplied } },
  );
}
