import { findIteration, type WhichIteration } from '#main/journal/find-iteration.ts';
import { iterationOf, iterationsOf, lastInside, ranBetween } from '#main/runner/iteration-view.ts';
import { findRound, foldsOf, roundsOf } from '#main/runner/round-view.ts';
import type { Iteration } from '#shared/contract/iterations.ts';
import type { BackgroundFolder } from './background-folder.ts';

/** Background tasks on the iterations of nodes. */
export const iterationTasks = {
  async iterations({ journals }: BackgroundFolder, input: Parameters<typeof iterationsOf>[1]): Promise<ReturnType<typeof iterationsOf>> {
    return iterationsOf(await journals.holding(input.run_id), input);
  },

  async iteration({ journals }: BackgroundFolder, input: Parameters<typeof iterationOf>[1]): Promise<ReturnType<typeof iterationOf>> {
    return iterationOf(await journals.holding(input.run_id), input);
  },

  async folds({ journals }: BackgroundFolder, input: Parameters<typeof foldsOf>[1]): Promise<ReturnType<typeof foldsOf>> {
    return foldsOf(await journals.holding(input.run_id), input);
  },

  async rounds({ journals }: BackgroundFolder, input: Parameters<typeof roundsOf>[1]): Promise<ReturnType<typeof roundsOf>> {
    return roundsOf(await journals.holding(input.run_id), input);
  },

  async findRound({ journals }: BackgroundFolder, input: Parameters<typeof findRound>[1]): Promise<ReturnType<typeof findRound>> {
    return findRound(await journals.holding(input.run_id), input);
  },

  async ranBetween({ journals }: BackgroundFolder, input: Parameters<typeof ranBetween>[1]): Promise<ReturnType<typeof ranBetween>> {
    return ranBetween(await journals.holding(input.run_id), input);
  },

  async lastInside({ journals }: BackgroundFolder, input: Parameters<typeof lastInside>[1]): Promise<ReturnType<typeof lastInside>> {
    return lastInside(await journals.holding(input.run_id), input);
  },

  /** Returns the number and records of an iteration; null for none. Throws `NotFound`. */
  async findIteration(
    { journals }: BackgroundFolder,
    {
      which,
      other_run_id: otherId,
      ...subject
    }: {
      readonly run_id: string;
      readonly node: string;
      readonly nested: boolean;
      readonly which: WhichIteration;
      readonly other_run_id?: string | undefined;
    },
  ): Promise<Pick<Iteration, 'index' | 'from_seq' | 'to_seq'> | null> {
    const run = async (runId: string) => {
      const journal = await journals.holding(runId);
      return { journal, row: journal.row(runId) };
    };
    const found = await run(subject.run_id);
    const index = findIteration(found, subject, which, otherId === undefined ? undefined : await run(otherId));
    if (index === null) return null;
    const [iteration] = iterationsOf(found.journal, { ...subject, from: index, limit: 1 }).iterations;
    return iteration ? { index, from_seq: iteration.from_seq, to_seq: iteration.to_seq } : null;
  },
} as const;
