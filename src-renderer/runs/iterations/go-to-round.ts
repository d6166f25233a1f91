import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import { texts } from './texts.ts';

/** A round that was found: its number and its last record. */
interface FoundRound {
  readonly index: number;
  readonly to_seq: number;
}

/** Shows the shown run as it was after a round that is found, and says which one that is, or that there is none. */
export async function goToRound(run_id: string, find: () => Promise<FoundRound | null>): Promise<void> {
  try {
    const round = await find();
    if (runSessionStore.getState().view?.run_id !== run_id) return;
    if (round) runSessionStore.getState().select(round.to_seq);
    announce(round ? texts.wentTo(round.index) : texts.noSuchRound);
  } catch (thrown) {
    noticeFailure(texts.jump, thrown);
  }
}
