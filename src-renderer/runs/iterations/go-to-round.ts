import type { ChosenRound } from '#renderer/runs/model/run-session.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import { texts } from './texts.ts';
import { selectRound } from './use-iteration.ts';

/** Chooses a round of a node that is found, and says which one that is, or that there is none. */
export async function goToRound(
  run_id: string,
  of: Pick<ChosenRound, 'kind' | 'node'>,
  find: () => Promise<Pick<ChosenRound, 'index' | 'from_seq' | 'to_seq'> | null>,
): Promise<void> {
  try {
    const round = await find();
    if (runSessionStore.getState().view?.run_id !== run_id) return;
    if (round) selectRound(run_id, { ...round, ...of });
    announce(round ? texts.wentTo(round.index) : texts.noSuchRound);
  } catch (thrown) {
    noticeFailure(texts.jump, thrown);
  }
}
