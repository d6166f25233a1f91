import { studio } from '#renderer/api/studio.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import type { StateOfRun } from './lineage-store.ts';
import { texts } from './texts.ts';

/** Shows the run at the step before or after the shown one that wrote a state. */
export async function goToWrite({ run_id, seq, state, item }: StateOfRun, which: 'previous' | 'next'): Promise<void> {
  try {
    const writes = await studio.debug.writesAround({ run_id, seq, state, ...(item !== undefined && { item }) });
    const { view, select } = runSessionStore.getState();
    if (view?.run_id !== run_id) return;
    const found = writes[which];
    if (found !== null) select(found);
    else announce(which === 'previous' ? texts.noPreviousWrite(state) : texts.noNextWrite(state));
  } catch (thrown) {
    noticeFailure(which === 'previous' ? texts.previousWrite : texts.nextWrite, thrown);
  }
}
