import type { LayerKind, LayerMark } from '#renderer/runs/model/canvas-layer.ts';
import type { NodeMark, RunMarks, TokenMark } from '#renderer/runs/model/run-marks.ts';
import { layerMarkOf, markOf, wireMarkOf } from './group-marks.ts';
import { useRunMarks } from './shown-marks.ts';

/** The status of a node, or of the nodes of a folded group, in the current run, or undefined if none has run. */
export function useNodeMark(id: string): NodeMark | undefined {
  return useRunMarks((marks) => markOf(marks, id));
}

/** The token of this state, if it is waiting now. */
export function useTokenMark(state: string): TokenMark | undefined {
  return useRunMarks((marks) => marks.tokens[state]);
}

/** What the shown layer says of a node; `kind` is null while no layer is shown. */
export function useNodeLayer(id: string): { readonly kind: LayerKind | null; readonly mark: LayerMark | undefined } {
  const kind = useRunMarks((marks) => marks.layer?.kind ?? null);
  const mark = useRunMarks(({ layer }) => (layer ? layerMarkOf(layer, id) : undefined));
  return { kind, mark };
}

/** What the shown layer says of a wire; `kind` is null while no layer of wires is shown. */
export function useWireLayer(node: string, state: string): { readonly kind: LayerKind | null; readonly mark: LayerMark | undefined } {
  const kind = useRunMarks(({ layer }) => (layer?.wires ? layer.kind : null));
  const mark = useRunMarks(({ layer }) => (layer ? wireMarkOf(layer, node, state) : undefined));
  return { kind, mark };
}

/** True while the canvas shows a run; nodes that have not run are dimmed. */
export function useRunShown(): boolean {
  return useRunMarks(hasMarks);
}

/** Answers by marks: every card asks at every step, and listing the keys of thousands of marks takes long. */
const marked = new WeakMap<RunMarks, boolean>();

function hasMarks(marks: RunMarks): boolean {
  let has = marked.get(marks);
  if (has === undefined) {
    has = Object.keys(marks.nodes).length + Object.keys(marks.tokens).length > 0;
    marked.set(marks, has);
  }
  return has;
}
