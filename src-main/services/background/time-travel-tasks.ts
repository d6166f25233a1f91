import { makeFork, planFork } from '#main/history/fork.ts';
import { historyOptions } from '#main/history/history-options.ts';
import { replayRun } from '#main/history/replay.ts';
import type { BackgroundFolder } from '#main/services/background/background-folder.ts';
import { uuidV7 } from '#main/workspace/uuid-v7.ts';
import type { FlowChoice, ForkCheck, ForkRequest, ReplayReport } from '#shared/contract/time-travel.ts';

/** Going back in runs: part of what the background thread of a folder can do. Nothing here calls a model or a tool. */
export const timeTravelTasks = {
  async forkCheck({ folder, journals }: BackgroundFolder, request: ForkRequest): Promise<ForkCheck> {
    return (await planFork(await journals.holding(request.run_id), request, await historyOptions(folder))).check;
  },

  async fork({ folder, journals }: BackgroundFolder, request: ForkRequest): Promise<{ run_id: string }> {
    const planned = await planFork(await journals.holding(request.run_id), request, await historyOptions(folder));
    const { main } = await journals.open();
    return { run_id: makeFork(main, planned, uuidV7(), Date.now()) };
  },

  async replay(
    { folder, journals }: BackgroundFolder,
    { run_id, flow }: { readonly run_id: string; readonly flow: FlowChoice },
  ): Promise<ReplayReport> {
    return replayRun(await journals.holding(run_id), run_id, flow, await historyOptions(folder));
  },
} as const;
