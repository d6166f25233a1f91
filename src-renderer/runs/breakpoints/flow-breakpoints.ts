import type { FlowMark } from '#renderer/document/editing/flow-breakpoints.ts';
import { type Change, withBreakpoints } from '#renderer/document/editing/open-flow.ts';
import { changeFlow, editorStore } from '#renderer/document/flows/editor.ts';

/** A change of the user to the stored breakpoints, pins and mocks. */
export interface OwnChange {
  readonly put?: readonly FlowMark[];
  readonly remove?: readonly string[];
  readonly label: string;
}

/** Those that are set in a flow. */
export function ofFlow<Mark extends FlowMark>(breakpoints: readonly Mark[], path: string): Mark[] {
  return breakpoints.filter((breakpoint) => 'flow' in breakpoint && breakpoint.flow === path);
}

/** Shows what is stored in the open flows. Changes of other windows and programs are not undo steps. */
export function showInFlows(breakpoints: readonly FlowMark[]): void {
  for (const path of Object.keys(editorStore.getState().flows)) {
    changeFlow(path, (flow) => withBreakpoints(flow, ofFlow(breakpoints, path), null));
  }
}

/** Returns breakpoints, pins and mocks after a change. */
export function withChange(marks: readonly FlowMark[], { put = [], remove = [] }: Pick<OwnChange, 'put' | 'remove'>): FlowMark[] {
  const gone = new Set(remove);
  const added = new Map(put.map((mark) => [mark.id, mark]));
  const kept = marks.filter(({ id }) => !gone.has(id)).map((mark) => added.get(mark.id) ?? mark);
  const known = new Set(kept.map(({ id }) => id));
  return [...kept, ...put.filter(({ id }) => !known.has(id))];
}

/** Records a change of the user as an undo step of the flows whose breakpoints it changes. */
export function noteInFlows({ put = [], remove = [], label }: OwnChange): void {
  const change: Change = { label, at: performance.now() };
  for (const path of Object.keys(editorStore.getState().flows)) {
    changeFlow(path, (flow) => withBreakpoints(flow, withChange(flow.breakpoints, { put: ofFlow(put, path), remove }), change));
  }
}

/** Receives what happens to open flows. */
export interface FlowListener {
  readonly onOpen: () => void;
  /** The breakpoints of an open flow changed, such as by undo. */
  readonly onChange: (path: string) => void;
}

/** Watches the open flows until the returned function is called. */
export function watchFlows({ onOpen, onChange }: FlowListener): () => void {
  return editorStore.subscribe(({ flows }, { flows: before }) => {
    if (flows === before) return;
    for (const [path, flow] of Object.entries(flows)) {
      const known = before[path];
      if (!known) onOpen();
      else if (flow.breakpoints !== known.breakpoints) onChange(path);
    }
  });
}
