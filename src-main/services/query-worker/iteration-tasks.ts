import { iterationOf, iterationsOf } from '#main/runner/iteration-view.ts';
import type { BackgroundFolder } from './background-folder.ts';

/** Background tasks on the iterations of nodes. */
export const iterationTasks = {
  async iterations({ journals }: BackgroundFolder, input: Parameters<typeof iterationsOf>[1]): Promise<ReturnType<typeof iterationsOf>> {
    return iterationsOf(await journals.holding(input.run_id), input);
  },

  async iteration({ journals }: BackgroundFolder, input: Parameters<typeof iterationOf>[1]): Promise<ReturnType<typeof iterationOf>> {
    return iterationOf(await journals.holding(input.run_id), input);
  },
} as const;
