import { type RecordedScript, recordedScripts } from '#main/journal/recorded-scripts.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { BackgroundFolder } from '#main/services/background/background-folder.ts';

/** What the background thread tells of the models of runs. */
export const modelTasks = {
  /** What the models of a run answered, agent by agent. */
  async recordedScripts({ journals }: BackgroundFolder, { run_id }: { readonly run_id: string }): Promise<RecordedScript[]> {
    const journal = await journals.holding(run_id);
    return recordedScripts(journal, new RunReader(journal, journal.row(run_id)));
  },
};
