import type { NodeMark, RunMarks, TokenMark } from '#renderer/stores/run-marks.ts';
import { useRunMarks } from '#renderer/stores/run-view.ts';

/** How a node fares in the run shown; undefined when it has not run. */
export function useNodeMark(id: string): NodeMark | undefined {
  return useRunMarks((marks) => marks.nodes[id]);
}

/** The state of this name, if it waits now. */
export function useTokenMark(state: string): TokenMark | undefined {
  return useRunMarks((marks) => marks.tokens[state]);
}

/** True while the canvas shows a run, so that what has not run steps back. */
export function useRunShown(): boolean {
  return useRunMarks(hasMarks);
}

function hasMarks({ nodes, tokens }: RunMarks): boolean {
  for (const _node in nodes) return true;
  for (const _token in tokens) return true;
  return false;
}
