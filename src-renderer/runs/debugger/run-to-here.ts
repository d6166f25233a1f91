import type { BreakpointTarget } from '#renderer/runs/breakpoints/breakpoint-edits.ts';
import { breakpointStore, putBreakpoint, removeBreakpoint } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { isActive } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { actionOf } from './run-commands.ts';
import { texts } from './texts.ts';

/** Continues the shown run with a breakpoint that ends when the run stops for any reason. */
export async function runOnceTo(target: BreakpointTarget): Promise<void> {
  const session = runSessionStore.getState();
  if (session.selected !== null || actionOf('continue', session, runSubjectStore.getState().flow)?.type !== 'continue')
    return announce(texts.runToHere.notPossible);
  const id = `once-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(16)}`;
  await putBreakpoint({ id, ...target, once: true });
  if (!breakpointStore.getState().breakpoints.some((breakpoint) => breakpoint.id === id)) return;
  const from = session.view?.seq;
  // The host removes it where it stopped the run. The run may also end, fail, wait, or stop elsewhere.
  const unsubscribe = runSessionStore.subscribe(({ view, call }) => {
    const moved = view?.run_id !== session.view?.run_id || view?.seq !== from;
    if (call !== null || (view && isActive(view.status)) || !moved) return;
    unsubscribe();
    void removeBreakpoint(id);
  });
  await session.continue();
}
