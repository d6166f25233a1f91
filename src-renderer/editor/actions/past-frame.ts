import { createStore } from 'zustand/vanilla';
import { studio } from '#renderer/api/studio.ts';
import { editorStore, showFlow } from '#renderer/document/flows/editor.ts';
import { goInto, type NestingStep, nestingStore } from '#renderer/document/flows/nesting.ts';
import { showFrame } from '#renderer/runs/breakpoints/show-frame.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import type { Frame } from '#shared/run/stop.ts';
import { followStore } from './follow-store.ts';

/** Where the shown step of the past was, outermost first; empty while the run is shown as it is now. */
export const pastFrameStore = createStore<{ readonly place: readonly Frame[] }>()(() => ({ place: [] }));

/** What the canvas shows: a flow, and the nodes that were opened around it. */
interface Way {
  readonly outer: readonly NestingStep[];
  readonly path: string | null;
}

function shownWay(): Way {
  const { outer, inner } = nestingStore.getState();
  const { current } = editorStore.getState();
  return { outer: inner === current ? outer : [], path: current };
}

const same = (one: Way, other: Way): boolean =>
  one.path === other.path &&
  one.outer.length === other.outer.length &&
  one.outer.every(({ path, node }, at) => path === other.outer[at]?.path && node === other.outer[at].node);

/** How many frames of a place the canvas is in: those whose flows it shows, or has gone through to the shown one. */
export function depthShown(place: readonly Frame[], paths: readonly (string | null)[]): number {
  const apart = paths.findIndex((path, depth) => place[depth]?.flow !== path);
  return apart < 0 ? paths.length : apart;
}

const pathsOf = ({ outer, path }: Way): (string | null)[] => [...outer.map((step) => step.path), path];

/**
 * Finds where each step of the past that is looked at was. If the canvas shows a flow that this step was not in, it goes out to the one around
 * both, and with the latest step it comes back. Into a flow it goes only when asked (`showPastFrame`): a walk through the past would
 * otherwise jump in and out. Returns the function that stops this.
 */
export function followPast(): () => void {
  /** What was shown before the canvas went elsewhere, and what it shows since. */
  let left: { readonly from: Way; to: Way } | null = null;
  const go = async (show: () => Promise<void>) => {
    const from = shownWay();
    await show();
    left = { from: left && same(left.to, from) ? left.from : from, to: shownWay() };
  };
  goTo = (place) => go(() => showFrame(place));
  return runSessionStore.subscribe(({ selected, view }, before) => {
    if (selected === before.selected && view?.run_id === before.view?.run_id) return;
    if (selected === null || !view) {
      pastFrameStore.setState({ place: [] });
      const back = left;
      left = null;
      if (view && view.run_id === before.view?.run_id && back && same(back.to, shownWay())) void showWay(back.from);
      return;
    }
    const isStill = () => runSessionStore.getState().selected === selected && runSessionStore.getState().view?.run_id === view.run_id;
    studio.runs.frames({ run_id: view.run_id, seq: Math.max(1, selected) }).then(
      (found) => {
        if (!isStill()) return;
        // Before its first step, a run is in its own flow.
        const place = selected === 0 ? found.slice(0, 1) : found;
        pastFrameStore.setState({ place });
        const paths = pathsOf(shownWay());
        const depth = depthShown(place, paths);
        // A canvas that shows another flow than the run's stays.
        if (followStore.getState().follows && depth > 0 && depth < paths.length) void go(() => showFrame(place.slice(0, depth), false));
      },
      // A run that cannot be read is reported where it is shown.
      () => pastFrameStore.setState({ place: [] }),
    );
  });
}

let goTo: (place: readonly Frame[]) => Promise<void> = (place) => showFrame(place);

/** Goes into the flow that the shown step of the past was in; the latest step leads back. */
export function showPastFrame(): void {
  void goTo(pastFrameStore.getState().place);
}

async function showWay({ outer, path }: Way): Promise<void> {
  if (path === null) return;
  await showFlow(outer[0]?.path ?? path);
  for (const [depth, { node }] of outer.entries()) await goInto(outer[depth + 1]?.path ?? path, node);
}
