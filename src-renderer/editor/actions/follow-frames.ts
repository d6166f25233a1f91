import { editorStore } from '#renderer/document/flows/editor.ts';
import { nestingStore } from '#renderer/document/flows/nesting.ts';
import { showFrame } from '#renderer/runs/breakpoints/show-frame.ts';
import type { StepMode } from '#renderer/runs/model/run-session.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import type { Frame } from '#shared/run/stop.ts';
import { followStore, resumeFollow } from './follow-store.ts';

/**
 * Follows the commands that the user gives to the shown run: each ends a pause of following, and after a step the canvas
 * shows the flow that the run is in. Into opens a nested flow; Out, and a step past its end, leave it. Returns the
 * function that stops this.
 */
export function followCommands(): () => void {
  return runSessionStore.subscribe((state, before) => {
    const isCommand = state.call !== null && state.call !== 'open' && state.call !== before.call;
    if (isCommand || state.selected !== before.selected) resumeFollow();
    if (before.call !== 'step' || state.call !== null || !state.mode || !followStore.getState().follows) return;
    const frames = shownFrames(state.view?.stop?.place ?? [], state.mode);
    if (frames.length > 0) void showFrame(frames, false);
  });
}

/** The frames to show after a step: with Into all of them, otherwise those that the canvas is in already. Empty if the canvas is right. */
function shownFrames(place: readonly Frame[], mode: StepMode): readonly Frame[] {
  const { current } = editorStore.getState();
  const { outer, inner } = nestingStore.getState();
  const way = [...(inner === current ? outer.map(({ path }) => path) : []), current];
  const common = way.findIndex((path, depth) => place[depth]?.flow !== path);
  const depth = mode === 'into' ? place.length : common < 0 ? way.length : common;
  return depth === way.length && common < 0 ? [] : place.slice(0, depth);
}
