import { membersOf } from '#renderer/document/layout/groups.ts';
import { type LayerKind, type LayerMark, wireKey } from '#renderer/runs/model/canvas-layer.ts';
import type { NodeMark, RunMarks, TokenMark } from '#renderer/runs/model/run-marks.ts';
import { useRunMarks } from './shown-marks.ts';

/** The status of a node in the current run, or undefined if it has not run. */
export function useNodeMark(id: string): NodeMark | undefined {
  return useRunMarks((marks) => marks.nodes[id] ?? groupMark(marks, id));
}

/** Statuses of a node in a folded group, the one that its card shows first. */
const order: readonly NodeMark['status'][] = ['failed', 'waiting', 'running', 'next', 'ran'];

function groupMark({ nodes }: RunMarks, id: string): NodeMark | undefined {
  let best: NodeMark | undefined;
  for (const member of membersOf(id)) {
    const mark = nodes[member];
    if (mark && (!best || order.indexOf(mark.status) < order.indexOf(best.status))) best = mark;
  }
  return best;
}

/** The token of this state, if it is waiting now. */
export function useTokenMark(state: string): TokenMark | undefined {
  return useRunMarks((marks) => marks.tokens[state]);
}

/** What the shown layer says of a node; `kind` is null while no layer is shown. */
export function useNodeLayer(id: string): { readonly kind: LayerKind | null; readonly mark: LayerMark | undefined } {
  const kind = useRunMarks((marks) => marks.layer?.kind ?? null);
  const mark = useRunMarks((marks) => marks.layer?.nodes[id]);
  return { kind, mark };
}

/** What the shown layer says of a wire; `kind` is null while no layer of wires is shown. */
export function useWireLayer(node: string, state: string): { readonly kind: LayerKind | null; readonly mark: LayerMark | undefined } {
  const kind = useRunMarks(({ layer }) => (layer?.wires ? layer.kind : null));
  const mark = useRunMarks((marks) => marks.layer?.wires?.[wireKey(node, state)]);
  return { kind, mark };
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
