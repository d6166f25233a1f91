import { historyOptions } from '#main/time-travel/history-options.ts';
import { replayRun } from '#main/time-travel/replay.ts';
import type { ReplayReport } from '#shared/contract/time-travel.ts';
import { type TransferableError, toTransferable } from '#shared/run/error.ts';
import { openCapsule } from './open-capsule.ts';

/** Result of testing the current flow with a capsule. */
export type CapsuleVerdict =
  | { readonly verdict: 'same' | 'differs'; readonly report: ReplayReport }
  /** The capsule or the flow is unusable. */
  | { readonly verdict: 'broken'; readonly error: TransferableError };

/** Replays a capsule's run with the current flow in `folder` (a real path). */
export async function testCapsule(text: string, name: string, folder: string): Promise<CapsuleVerdict> {
  try {
    const { journal, runId } = await openCapsule(text, name);
    try {
      const report = await replayRun(journal, runId, 'current', await historyOptions(folder));
      return { verdict: report.divergence ? 'differs' : 'same', report };
    } finally {
      journal.close();
    }
  } catch (error) {
    return { verdict: 'broken', error: toTransferable(error) };
  }
}
