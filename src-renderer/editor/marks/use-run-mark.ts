import type { NodeMark, RunMarks, TokenMark } from '#renderer/runs/model/run-marks.ts';
import { useRunMarks } from './shown-marks.ts';

/** The status of a node in the current run, or undefined if it has not run. */
export function useNodeMark(id: string): NodeMark | undefined {
  return useRunMarks((marks) => marks.nodes[id]);
}

/** The token of this state, if it is waiting now. */
export function useTokenMark(state: string): TokenMark | undefined {
  return useRunMarks((marks) => marks.tokens[state]);
}

/** True while the canvas shows a run; nodes that have not run are dimmed. */
export function useRunShown(): boolean {
  return useRunMarks(hasMarks);
}

function hasMarks({ nodes, tokens }: RunMarks): boolean {
  for (const _node in nodes) return true;
  for (const _token in tokens) return true;
  return false;
}
