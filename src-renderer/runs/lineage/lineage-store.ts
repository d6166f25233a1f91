import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { announce } from '#renderer/shell/announcer.ts';
import type { MenuSubject } from '#renderer/shell/menu-store.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import type { Lineage } from '#shared/contract/lineage.ts';
import { texts } from './texts.ts';

/** A state of a run, or a value in it, as it was after a step. */
export type StateOfRun = NonNullable<MenuSubject['value']>;

export interface ShownLineage extends StateOfRun {
  readonly direction: 'back' | 'forth';
  /** Null until it has loaded. */
  readonly lineage: Lineage | null;
  /** Why it could not be read. */
  readonly failure: string | null;
  /** The selected step, by its position. */
  readonly at: number;
}

/** The shown lineage, or null. */
export const lineageStore = createStore<{ readonly shown: ShownLineage | null }>()(() => ({ shown: null }));

/** Shows where a state or value came from (`back`), or what used it (`forth`), in the Debug tab and on the canvas. */
export async function traceState(subject: StateOfRun, direction: 'back' | 'forth'): Promise<void> {
  const shown: ShownLineage = { ...subject, direction, lineage: null, failure: null, at: 0 };
  lineageStore.setState({ shown });
  panelsStore.getState().showRight('debug');
  const settle = (result: Pick<ShownLineage, 'lineage' | 'failure'>) => {
    if (lineageStore.getState().shown !== shown) return;
    lineageStore.setState({ shown: { ...shown, ...result } });
  };
  try {
    const { run_id, seq, state, item, path } = subject;
    const lineage = await studio.debug.lineage({
      run_id,
      seq,
      state,
      direction,
      ...(item !== undefined && { item }),
      ...(path !== undefined && { path }),
    });
    settle({ lineage, failure: null });
    announce(texts.found(lineage.steps.length, direction));
  } catch (thrown) {
    settle({ lineage: null, failure: failureOf(thrown).message });
  }
}

/** Selects a step of the shown lineage, and shows the run as it was then. */
export function selectLineageStep(at: number): void {
  const { shown } = lineageStore.getState();
  const step = shown?.lineage?.steps[at];
  if (!shown || !step) return;
  lineageStore.setState({ shown: { ...shown, at } });
  runSessionStore.getState().select(step.seq);
}

export function closeLineage(): void {
  lineageStore.setState({ shown: null });
}

runSessionStore.subscribe(({ view }) => {
  const { shown } = lineageStore.getState();
  if (shown && view?.run_id !== shown.run_id) closeLineage();
});
