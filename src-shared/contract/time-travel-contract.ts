import { z } from 'zod';
import { procedure } from './common.ts';
import {
  capsuleContentsSchema,
  capsuleLimit,
  comparisonSchema,
  flowChoiceSchema,
  forkCheckSchema,
  forkRequestSchema,
  redactionSchema,
  replayReportSchema,
  restorePreviewSchema,
  restoreResultSchema,
  stepComparisonSchema,
} from './time-travel.ts';

const atStep = z.object({ run_id: z.string(), seq: z.int().nonnegative() });
const exportRequest = z.object({ run_id: z.string(), redact: redactionSchema.default({ places: [], texts: [] }) });

/**
 * Going back, branching off, computing again, comparing, taking along. Part of `runs`; every run may be read so, also one that came with the folder or in a
 * capsule.
 */
export const timeTravelContract = {
  /** Finds out what would come of a fork. `compare_past` also replays the records before it with the chosen flow, for some seconds at most. */
  forkCheck: procedure.input(forkRequestSchema.extend({ compare_past: z.boolean().default(false) })).output(forkCheckSchema),
  /** Texts of the files that the run's flow was built from, except its document, by path. Empty for runs of older versions. */
  sources: procedure.input(z.object({ run_id: z.string() })).output(z.record(z.string(), z.string())),
  /** Makes a fork and leaves it paused before its first transition (or waiting, where it begins with a question). Throws `SnapLoadError` with `details.misfits`. Answers with its id. */
  fork: procedure.input(forkRequestSchema).output(z.object({ run_id: z.string() })),
  /** Computes a run again from its recorded effects. Nothing outside happens. */
  replay: procedure.input(z.object({ run_id: z.string(), flow: flowChoiceSchema.default('recorded') })).output(replayReportSchema),
  /** Puts two runs side by side, `limit` lines from line `from` on. */
  compare: procedure
    .input(
      z.object({
        run_id: z.string(),
        other_run_id: z.string(),
        from: z.int().nonnegative().default(0),
        limit: z.int().positive().max(5000).default(1000),
      }),
    )
    .output(comparisonSchema),
  /** All differences of one line. */
  compareStep: procedure
    .input(z.object({ run_id: z.string(), seq: z.int().nullable(), other_run_id: z.string(), other_seq: z.int().nullable() }))
    .output(stepComparisonSchema),
  /** Previews restoring the folder's files to their contents after record `seq`. Only files that the run's tools wrote. */
  restorePreview: procedure.input(atStep).output(restorePreviewSchema),
  /** Restores these files. `before_hash` is the file as the person saw it: a file that has changed since is left alone. Replaced contents are saved. */
  restore: procedure
    .input(atStep.extend({ files: z.array(z.object({ path: z.string(), before_hash: z.string().nullable() })).min(1) }))
    .output(restoreResultSchema),
  /** Gives back what a restoring replaced, where the files are still as it left them. Can itself be undone. */
  undoRestore: procedure.input(z.object({ restore_id: z.int(), run_id: z.string() })).output(restoreResultSchema),
  /** What a capsule of a run would hold. */
  capsulePreview: procedure.input(exportRequest).output(capsuleContentsSchema),
  /** Makes a capsule: the text of one file. */
  exportCapsule: procedure.input(exportRequest).output(z.object({ file_name: z.string(), content: z.string() })),
  /** Opens the text of a capsule, to be looked at under the id that this answers with, until `runs.remove` or the folder is closed. Nothing in it is run. */
  openCapsule: procedure
    .input(z.object({ content: z.string().max(capsuleLimit) }))
    .output(z.object({ run_id: z.string(), contents: capsuleContentsSchema })),
};
