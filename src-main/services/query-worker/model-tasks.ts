import { type RecordedScript, recordedScripts } from '#main/journal/recorded-scripts.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { BackgroundFolder } from './background-folder.ts';

/** Background tasks on the models of runs. */
export const modelTasks = {
  /** Returns the model responses of a run by agent. */
  async recordedScripts({ journals }: BackgroundFolder, { run_id: runId }: { readonly run_id: string }): Promise<RecordedScript[]> {
    const journal = await journals.holding(runId);
    return recordedScripts(journal, new RunReader(journal, journal.row(runId)));
  },
};
