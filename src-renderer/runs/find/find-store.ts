import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { texts } from './texts.ts';

export interface FindState {
  readonly open: boolean;
  readonly expression: string;
  /** The record that the search in progress has come to; null when none is in progress. */
  readonly at: number | null;
  /** What the last search found. */
  readonly result: string;
  readonly failed: boolean;
}

/** The search in the shown run. */
export const findStore = createStore<FindState>()(() => ({ open: false, expression: '', at: null, result: '', failed: false }));

let search: AbortController | null = null;

/** Opens the search, in the timeline of the shown run. */
export function openFind(): void {
  panelsStore.getState().showBottom('timeline');
  findStore.setState({ open: true });
}

export function closeFind(): void {
  search?.abort();
  findStore.setState({ open: false, at: null, result: '', failed: false });
}

export function cancelFind(): void {
  search?.abort();
  findStore.setState({ at: null, result: texts.cancelled });
}

/** Shows the run at the first step after (before) the shown one after which the expression is true. A search in progress is cancelled. */
export async function findInRun(direction: 'forth' | 'back'): Promise<void> {
  const { view, selected } = runSessionStore.getState();
  const expression = findStore.getState().expression.trim();
  if (!view || expression === '') return;
  search?.abort();
  const mine = new AbortController();
  search = mine;
  const { run_id } = view;
  // At the end of the run the search begins at its start, as everywhere in a text.
  const from = selected ?? (direction === 'forth' ? 0 : view.seq);
  findStore.setState({ at: from, result: '', failed: false });
  const settle = (result: string, failed: boolean) => {
    if (search !== mine || mine.signal.aborted) return;
    findStore.setState({ at: null, result, failed });
    announce(result);
  };
  try {
    for await (const event of await studio.debug.find({ run_id, expression, from, direction }, { signal: mine.signal })) {
      if (mine.signal.aborted) return;
      if (event.type === 'progress') findStore.setState({ at: event.seq });
      else if (event.seq === null) settle(event.fault === null ? texts.none[direction] : texts.fault(event.fault), true);
      else {
        settle(texts.found(event.seq), false);
        if (runSessionStore.getState().view?.run_id === run_id) runSessionStore.getState().select(event.seq);
      }
    }
  } catch (thrown) {
    settle(failureOf(thrown).message, true);
  }
}

runSessionStore.subscribe(({ view }, before) => {
  if (view?.run_id !== before.view?.run_id && findStore.getState().open) closeFind();
});
