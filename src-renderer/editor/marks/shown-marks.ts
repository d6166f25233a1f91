import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { endPlayback, playbackStore } from '#renderer/editor/playback/playback.ts';
import { playbackMarks } from '#renderer/editor/playback/playback-marks.ts';
import { texts } from '#renderer/editor/playback/texts.ts';
import { coverageLayerOf, coverageStore } from '#renderer/runs/layers/coverage-store.ts';
import { lineageLayer } from '#renderer/runs/lineage/lineage-layer.ts';
import { lineageStore } from '#renderer/runs/lineage/lineage-store.ts';
import type { CanvasLayer } from '#renderer/runs/model/canvas-layer.ts';
import { countedOf, ranInRoundStore } from '#renderer/runs/model/ran-in-round.ts';
import { marksInside, ownNames, sameWay, wayInto } from '#renderer/runs/model/run-inside.ts';
import { type NodeMark, noMarks, type RunMarks, type TokenMark } from '#renderer/runs/model/run-marks.ts';
import { marksAt } from '#renderer/runs/model/run-marks-at.ts';
import type { RunSessionState } from '#renderer/runs/model/run-session.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { type RunSubject, runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { comparisonStore } from '#renderer/runs/time-travel/comparison.ts';
import { withComparison } from '#renderer/runs/time-travel/comparison-marks.ts';
import { announce } from '#renderer/shell/announcer.ts';

/** What the canvas shows besides the flow: a playing counterexample, else the shown run if it is of this flow. */
export const runMarksStore = createStore<RunMarks>()(() => noMarks);

/** Subscribes to a part of the run's marks. Equal marks are the same object, so that a step renders only what it changed. */
export function useRunMarks<Selected>(select: (marks: RunMarks) => Selected): Selected {
  return useStore(runMarksStore, select);
}

function marksOf({ view, selected, shown }: RunSessionState, subject: RunSubject | null): RunMarks {
  const within = view && wayInto(view, subject);
  if (!view || !within) return noMarks;
  const viewpoint = selected === null ? 'now' : { seq: selected, state: shown };
  const counted = countedOf({ view });
  if (within.length > 0) return marksInside(view, viewpoint, within, counted);
  const marks = marksAt(view, viewpoint, counted);
  const { comparison } = comparisonStore.getState();
  return comparison?.run_id === view.run_id ? withComparison(marks, [...comparison.pages.values()].flat()) : marks;
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
    shared[key] = known && (known === mark || sameFields(known, mark)) ? known : mark;
  }
  return sameFields(before, shared) ? before : shared;
}

/** The lineage of a state of the shown run, else the layer that the user has chosen for the flow. */
function layerOf({ view, selected, shown }: RunSessionState, subject: RunSubject | null): CanvasLayer | null {
  const lineage = lineageStore.getState().shown?.lineage;
  const within = view && wayInto(view, subject);
  if (!lineage || !within) return coverageLayerOf(subject?.path);
  return lineageLayer(lineage.steps, ownNames(view, selected === null ? 'now' : { seq: selected, state: shown }, within));
}

function update(): void {
  const { playback } = playbackStore.getState();
  const [session, subject] = [runSessionStore.getState(), runSubjectStore.getState().flow];
  const next = playback ? playbackMarks(playback) : marksOf(session, subject);
  const before = runMarksStore.getState();
  runMarksStore.setState({
    nodes: share(before.nodes, next.nodes),
    tokens: share(before.tokens, next.tokens),
    layer: playback ? null : layerOf(session, subject),
  });
}

playbackStore.subscribe(update);
lineageStore.subscribe(update);
coverageStore.subscribe(update);
ranInRoundStore.subscribe(update);
comparisonStore.subscribe((state, before) => {
  if (state.comparison?.pages !== before.comparison?.pages) update();
});
runSessionStore.subscribe((state, before) => {
  // A user who drives or selects a run wants to see it.
  if ((state.call && !before.call) || state.selected !== before.selected || state.view?.run_id !== before.view?.run_id) endPlayback();
  if (state.view !== before.view || state.selected !== before.selected || state.shown !== before.shown) update();
});
runSubjectStore.subscribe((state, before) => {
  const { playback } = playbackStore.getState();
  if (playback && (playback.path !== state.flow?.path || playback.text !== state.flow.text)) {
    endPlayback();
    announce(texts.ended);
  }
  if (state.flow?.path === before.flow?.path && sameWay(state.flow, before.flow)) return;
  if (state.flow) runSessionStore.getState().focusFlow(state.flow);
  update();
});
