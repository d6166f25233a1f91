import { studio } from '#renderer/api/studio.ts';
import { breakpointStore } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { stopText } from '#renderer/runs/breakpoints/breakpoint-text.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import { texts } from './texts.ts';

/** Shows the run at the last place before the shown step at which a breakpoint would have stopped it. */
export async function backToBreakpoint(): Promise<void> {
  const { view, selected } = runSessionStore.getState();
  if (!view) return announce(texts.backToBreakpoint.noRun);
  try {
    const found = await studio.debug.previousStop({ run_id: view.run_id, seq: selected ?? view.seq });
    if (runSessionStore.getState().view?.run_id !== view.run_id) return;
    if (!found) return announce(texts.backToBreakpoint.none);
    runSessionStore.getState().select(found.seq);
    announce(stopText(found.stop, breakpointStore.getState().breakpoints) ?? '');
  } catch (thrown) {
    noticeFailure(texts.backToBreakpoint.failed, thrown);
  }
}
