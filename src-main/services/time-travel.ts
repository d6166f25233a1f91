import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { studio } from './implementer.ts';

/** Time travel in the runs of the open folder: fork, replay, compare, restore, export. Part of the `runs` router. */
export function timeTravelRouter(current: Pick<CurrentFolder, 'required'>) {
  const record = async () => (await current.required()).background;
  return {
    forkCheck: studio.runs.forkCheck.handler(async ({ input }) => (await record()).call('forkCheck', input)),
    sources: studio.runs.sources.handler(async ({ input }) => (await record()).call('sources', input)),
    fork: studio.runs.fork.handler(async ({ input }) => {
      const { background, runs } = await current.required();
      const fork = await background.call('fork', input);
      await runs.announce(fork.run_id);
      return fork;
    }),
    replay: studio.runs.replay.handler(async ({ input }) => (await record()).call('replay', input)),
    compare: studio.runs.compare.handler(async ({ input }) => (await record()).call('compare', input)),
    restorePreview: studio.runs.restorePreview.handler(async ({ input }) => (await record()).call('restorePreview', input)),
    restore: studio.runs.restore.handler(async ({ input }) => (await record()).call('restore', input)),
    undoRestore: studio.runs.undoRestore.handler(async ({ input }) => (await record()).call('undoRestore', input)),
    capsulePreview: studio.runs.capsulePreview.handler(async ({ input }) => (await record()).call('capsulePreview', input)),
    exportCapsule: studio.runs.exportCapsule.handler(async ({ input }) => (await record()).call('exportCapsule', input)),
    openCapsule: studio.runs.openCapsule.handler(async ({ input }) => {
      const { background, runs } = await current.required();
      const opened = await background.call('openCapsule', input);
      await runs.announce(opened.run_id);
      return opened;
    }),
    compareStep: studio.runs.compareStep.handler(async ({ input }) => (await record()).call('compareStep', input)),
  };
}
