import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { type NodeMark, noMarks, type RunMarks, type TokenMark } from './run-marks.ts';
import { marksAt } from './run-marks-at.ts';
import type { RunSessionState } from './run-session.ts';
import { runSessionStore } from './run-stores.ts';
import { runSubjectStore } from './run-subject.ts';

/** What the shown run shows on the canvas; nothing while the canvas shows another flow than the run's. */
export const runMarksStore = createStore<RunMarks>()(() => noMarks);

/** Subscribes to a part of the run's marks. Marks that say the same are the same object, so that a step draws anew only what it touched. */
export function useRunMarks<Selected>(select: (marks: RunMarks) => Selected): Selected {
  return useStore(runMarksStore, select);
}

function marksOf({ view, selected, shown }: RunSessionState, path: string | undefined): RunMarks {
  if (!view || view.flow_path !== path) return noMarks;
  return marksAt(view, selected === null ? 'now' : { seq: selected, state: shown });
}

function sameFields<T extends object>(a: T, b: T): boolean {
  const keys = Object.keys(a) as (keyof T)[];
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** `next`, with every entry that has not changed taken from `before`. */
function share<Mark extends NodeMark | TokenMark>(before: Readonly<Record<string, Mark>>, next: Readonly<Record<string, Mark>>) {
  const shared: Record<string, Mark> = {};
  for (const [key, mark] of Object.entries(next)) {
    const known = before[key];
    shared[key] = known && sameFields(known, mark) ? known : mark;
  }
  return sameFields(before, shared) ? before : shared;
}

function update(): void {
  const next = marksOf(runSessionStore.getState(), runSubjectStore.getState().flow?.path);
  const before = runMarksStore.getState();
  runMarksStore.setState({ nodes: share(before.nodes, next.nodes), tokens: share(before.tokens, next.tokens) });
}

runSessionStore.subscribe((state, before) => {
  if (state.view !== before.view || state.selected !== before.selected || state.shown !== before.shown) update();
});
runSubjectStore.subscribe((state, before) => {
  if (state.flow?.path === before.flow?.path) return;
  if (state.flow) runSessionStore.getState().focusFlow(state.flow.path);
  update();
});
